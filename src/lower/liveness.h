// Liveness of variables over the control graphs of processes: the values that nobody reads before
// they are written again, for each location.
//
// Only values that one process alone touches are looked at, its own variables or global ones: what
// they are read for then depends on its location alone. A value is read by guards, sent values, the
// right sides of assignments and the indices of what is written to. Only a write to a known element
// ends what is read later. What the property automaton, an assertion or another predicate or a
// proposition reads, and what channels hold, is never dead.
//
// What is read for a dead value counts as read, so that a dead value depends on live ones alone: a
// cycle of the reduced program is one of the whole program the second time it is gone around.
//
// After the range analysis, which says what can fail. All memory is scratch of the arena.
#pragma once

#include "ir/ir.h"
#include "xmc/arena.h"

namespace xmc {

// What keeps a value from being dead. A test leaves one out, to see that it would notice.
struct LivenessRules {
  bool others = true;     // what another process touches
  bool observers = true;  // what predicates, propositions and the automaton read
  bool elements = true;   // a write to an unknown element ends nothing
  bool senders = true;    // a value that a sender may not hand over is not received
  bool failures = true;   // an assignment that can fail is made
  bool loops = true;      // what is read behind a step back to an earlier location
};

class Liveness {
 public:
  Liveness(const ir::Program& program, const LivenessRules& rules, Arena& arena);
  Liveness(const Liveness&) = delete;
  Liveness& operator=(const Liveness&) = delete;

  // Values of these variables are live everywhere.
  void exclude(u32 variable) { owner_[variable] = kShared; }
  void run();

  // The process that alone touches the variable, or kNone.
  u32 owner(u32 variable) const {
    return owner_[variable] < p_.processes.size() ? owner_[variable] : kNone;
  }
  // In a location of the owner.
  bool is_dead(u32 variable, u32 element, u32 location) const;
  // Whether an assignment of a transition writes what is dead, and cannot fail.
  bool is_useless(u32 assignment) const { return useless_[assignment] != 0; }

 private:
  static constexpr u32 kShared = kNone;
  static constexpr u32 kUntouched = kNone - 1;
  // Of a transition, the last one first: bits of its process are written or read.
  struct Event {
    u32 first = 0;
    u32 count = 0;
    bool is_write = false;
    bool is_known = false;   // all of them are written
    u32 assignment = kNone;  // that writes
    u32 reads = 0;  // events behind a write that are there for it alone; kNone: it can fail
  };

  template <class T>
  std::span<T> scratch(u64 count) {
    return {static_cast<T*>(arena_.scratch("liveness", count * sizeof(T), alignof(T))),
            static_cast<std::size_t>(count)};
  }
  template <class Use>
  void visit(ir::ExprId root, const Use& use);
  void touch(u32 variable, u32 process);
  void find_owners();
  void exclude_reads(ir::ExprId root);
  void number_bits();
  void find_senders();
  void list_events();
  void list_events(const ir::Transition& t);
  void list_assignment(u32 index, u32 process);
  void list_reads(ir::ExprId root, u32 process);
  void list_write(const ir::Target& target, u32 process, u32 assignment, bool stored);
  void step_back(const ir::Transition& t, u32 index, bool mark_useless);
  std::span<u64> live_at(u32 process, u32 location) const;
  // Counted first, then listed: there is as much room as they take.
  void push(const Event& event) {
    if (!events_.empty()) events_[event_count_] = event;
    ++event_count_;
  }

  const ir::Program& p_;
  const LivenessRules rules_;
  Arena& arena_;
  std::span<u32> owner_;       // by variable
  std::span<u32> bit_;         // by variable: of its element 0, among those of its owner
  std::span<u32> words_;       // by process
  std::span<u64> first_word_;  // by process: of its first location
  std::span<u64> live_;        // by process, location and bit
  std::span<u64> work_;        // of the transition that is followed
  std::span<u32> sent_;        // by channel: values that all its senders hand over
  std::span<u32> stamp_;       // by expression: the last visit
  std::span<ir::ExprId> stack_;
  u32 visits_ = 0;
  std::span<Event> events_;
  u32 event_count_ = 0;
  std::span<ir::Range> of_transition_;
  std::span<u8> useless_;  // by assignment
};

}  // namespace xmc
