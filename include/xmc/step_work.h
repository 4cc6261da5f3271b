// StepWork: how much one expansion of a state does. Loops, calls and sequences that keep control
// can make a single step of a model longer than anybody waits. Each of their turns spends a unit;
// at the end of a piece of units the expansion asks whether the run is to stop, and counts what it
// has spent against a limit. An expansion that ends for either reason is unfinished (kUnfinished):
// what it has written is worth nothing.
//
// Who is asked belongs to the process, as signals and clocks do. Threads ask side by side.
#pragma once

#include "xmc/status.h"
#include "xmc/types.h"

namespace xmc {

// Why the run is to stop; any thread asks. Null: nobody knows of a reason.
struct StepWatch {
  void* self = nullptr;
  StopReason (*reason)(void* self) = nullptr;
};
void watch_steps(const StepWatch& watch);

// limits::kStepWork, unless something else is asked for.
void limit_steps(u64 units);
u64 step_limit();

// Why the first unfinished expansion of this process ended: StopReason::step_limit, or what the
// watch said. ok: all have ended by themselves.
Status stop_of_steps();
// Nothing has happened: for tests, and for a process that begins another run.
void forget_step_end();

// What spent too much: labels of the step or of the statements inside of it that were under way,
// each once, or a predicate.
struct LongStep {
  static constexpr u32 kLabels = 32;
  u32 labels[kLabels] = {};
  u32 label_count = 0;
  u32 predicate = kNone;
  u32 line = 0;  // of the text, of something inside of the loop; 0: not known

  void add(u32 label);
};
const LongStep& long_step();

class StepWork {
 public:
  // Units between two questions: 4096 of the shortest take 20 us.
  static constexpr u32 kPiece = 4096;
  // An expansion asks from this piece on. Shorter ones are left to the poll of the engine.
  static constexpr u32 kHeard = 16;

  // An expansion begins. It may end unfinished, or goes on to its end.
  void begin(bool may_stop) {
    pieces_ = 0;
    ended_ = false;
    may_stop_ = may_stop;
  }
  // False: the expansion is to end.
  bool spend() { return --left_ != 0 || next_piece(); }
  bool spend(u32 units) { return left_ > units ? (left_ -= units, true) : next_piece(); }
  bool ended() const { return ended_; }
  // To be set in Expansion::flags.
  u8 flags() const;
  // Where to say what it was, if this expansion is the first that has reached the limit.
  LongStep* place() const { return place_; }

 private:
  bool next_piece();
  void end(StopReason why);

  u32 left_ = kPiece;
  bool ended_ = false;
  bool may_stop_ = false;
  u64 pieces_ = 0;
  LongStep* place_ = nullptr;
};

}  // namespace xmc
