// Executes statements of a checked Promela model on a state, one at a time, as plainly as the
// semantics is written down. Test code: speed and memory do not matter here.
#pragma once

#include <string>
#include <vector>

#include "front/promela/system.h"

namespace xmc::promela_test {

struct Channel {
  u32 form = 0;
  std::vector<std::vector<i32>> messages;
};

struct Process {
  u32 type = 0;
  promela::PlaceId place = 0;
  i32 priority = 1;
  u32 channels = 0;  // that were created with it
  std::vector<i32> locals;
};

struct State {
  std::vector<i32> globals;
  std::vector<Channel> channels;  // number 1 is the first
  std::vector<Process> processes;
  i32 last = 0;
  promela::PlaceId trace = kNone;  // kNone without one
  // Of a never claim; its type is kNone without one.
  Process claim{kNone, 0, 1, 0, {}};

  std::string encode(const promela::System& system) const;
};

enum class Outcome : u8 { blocked, taken, failed };

class Machine {
 public:
  explicit Machine(const promela::System& system) : system_(system) {}

  static constexpr u32 kClaim = 0xFFFF;  // the pid of the claim

  State initial(u32 claim);
  // Executes an action of a process, which moves on. Rendezvous have two sides: the receiver's is
  // executed with `message`, after the sender's place was changed.
  Outcome execute(State& state, u32 pid, const promela::Action& action, bool timeout,
                  const std::vector<i32>* message = nullptr);
  // A send to a rendezvous channel: its number and values; false for anything else.
  bool is_rendezvous_send(State& state, u32 pid, const promela::Action& action, u32& channel,
                          std::vector<i32>& message);
  // Whether a process would receive that there, as an action or as the first one of a d_step.
  bool receives(State& state, u32 pid, const promela::Action& action, u32 channel,
                const std::vector<i32>& message);
  bool is_provided(State& state, u32 pid);
  bool is_at_progress(const State& state) const;
  // Both sides of a rendezvous are told by who knows of both. False: the trace is not clear.
  bool tell_rendezvous(State& state, u32 channel, const std::vector<i32>& message);
  // False: it fails.
  bool evaluate_in(State& state, u32 pid, promela::ExprId id, i32& value);

  bool failed_assertion = false;  // some assertion was false since this was cleared
  bool failed_trace = false;      // the same of the trace
  bool stands_still = false;      // no process can move, so that np_ is false in a claim
  std::string error;              // of the last failure

  // Whether process `pid` can move; set by who knows how.
  bool (*is_enabled)(void* self, State& state, u32 pid) = nullptr;
  void* enabled_self = nullptr;

 private:
  i32 evaluate(promela::ExprId id);
  i32 evaluate_load(const promela::Reference& reference);
  i32 evaluate_run(const promela::Expr& node);
  i32 evaluate_poll(const promela::Expr& node);
  i32 evaluate_at_label(const promela::Expr& node);
  i32 evaluate_binary(const promela::Expr& node);
  i32* leaf(const promela::Reference& reference);
  void store(promela::RefId id, i32 value);
  Channel* channel(i32 number);
  u32 process_of(promela::ExprId pid, u32 type);
  void fail(const std::string& why);
  void set_initials(bool is_global, u32 first, u32 count);
  void add_process(u32 type, const std::vector<i32>& arguments, i32 priority);
  bool matches(u32 first, u32 count, const std::vector<i32>& message);
  bool is_event(const promela::Action& event, bool is_send, u32 channel,
                const std::vector<i32>& message);
  bool is_followed(bool is_send, u32 channel);
  void tell(bool is_send, u32 channel, const std::vector<i32>& message);
  Outcome send(const promela::Action& action);
  Outcome receive(const promela::Action& action, const std::vector<i32>* message);
  Outcome indivisible(const promela::Action& action, const std::vector<i32>* message);
  Outcome basic(const promela::Action& action, const std::vector<i32>* message);
  Process& self() { return pid_ == kClaim ? state_->claim : state_->processes[pid_]; }

  const promela::System& system_;
  State* state_ = nullptr;
  u32 pid_ = 0;
  bool timeout_ = false;
  bool failed_ = false;
};

i32 cut(const promela::Leaf& leaf, i32 value);

}  // namespace xmc::promela_test
