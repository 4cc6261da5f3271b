// Replay: a trace walked once more through the judge, the interpreter that no engine uses. Nothing
// is shown as a counterexample before every step of it was found again here; what cannot be found
// is a bug of ours, told as one.
//
// A trace is not stored. It is a rule that picks one of the judge's successors at each step (by the
// engine's state, by a saved label, by dice), and every format walks it from the start. Memory:
// three states and one buffer of successors, whatever the length.
#pragma once

#include "xmc/arena.h"
#include "xmc/engine.h"
#include "xmc/model.h"
#include "xmc/status.h"
#include "xmc/types.h"

namespace xmc {

// Picks state number `index` of the trace: for 0 among the initial states (no labels), else among
// the successors of the state before. kNone: not there.
struct StepChooser {
  void* self = nullptr;
  u32 (*choose)(void* self, u64 index, u32 count, const SuccessorBuffer& from) = nullptr;
};

inline constexpr u64 kNoLoop = ~u64{0};

// What the trace is said to show.
struct TraceClaim {
  u64 steps = 0;             // the trace has steps + 1 states
  u64 loop_start = kNoLoop;  // the last state equals this one
  Violation violation = Violation::none;
  DeadlockRule deadlock = DeadlockRule::stuck;
  u32 predicate = kNone;
  u32 error_label = kNone;  // the erroneous step after the last state
  bool any_error = false;   // it may be another one: the engine's last state stands for this one
};
TraceClaim claim_of(const SearchOutcome& outcome, DeadlockRule deadlock);

class Replay {
 public:
  Replay() = default;
  Replay(const Replay&) = delete;
  Replay& operator=(const Replay&) = delete;

  void plan(const Model& judge, Arena& arena);

  // To the first state; then one step on. Code::internal when the judge has no such state.
  Status start(const StepChooser& chooser);
  Status advance();

  u64 index() const { return index_; }
  const Word* state() const { return state_; }
  const Word* previous() const { return previous_; }  // valid after advance()
  u32 label() const { return label_; }                // of the step that led here
  // Which one of the equally labelled successors it was: 0, save in models whose labels are not
  // unique. In the first state: which of the initial states.
  u32 label_repeat() const { return label_repeat_; }
  // What the judge says of the present state.
  const Expansion& expansion();
  // As Model::explain() of the judge.
  u32 explain(const Word* state, u32 label, u32 predicate, Text& out) const {
    if (judge_.explain == nullptr) return 0;
    return judge_.explain(judge_.self, state, label, predicate, out);
  }
  // As Model::error_kind() of the judge.
  ErrorKind error_kind(const Word* state, u32 label) const {
    return judge_.error_kind == nullptr ? ErrorKind::error
                                        : judge_.error_kind(judge_.self, state, label);
  }
  // As Model::unfold() of the judge; a step that is one statement is told as such.
  void unfold(const Word* state, u32 label, u32 repeat, const StatementVisitor& visitor) const;
  // As Model::valuation() of the judge; 0 without propositions.
  u32 valuation(const Word* state) const {
    return judge_.valuation == nullptr ? 0 : judge_.valuation(judge_.self, state);
  }
  // Whether expansions may end unfinished: advance() and confirm() are stopped then.
  void set_may_stop(bool may_stop) { buffer_.may_stop = may_stop; }
  const SuccessorBuffer& successors() const { return buffer_; }
  u32 state_words() const { return words_; }

  // A loop that closes up to a permutation only is gone around until a state comes again at its
  // beginning (Brent's search for a cycle): the claim is then about that.
  Status close_loop(const StepChooser& chooser, TraceClaim& claim);
  // Walks the whole trace and checks that it is one, and that it shows what is claimed.
  Status confirm(const StepChooser& chooser, const TraceClaim& claim);

 private:
  Status check_end(const TraceClaim& claim, bool accepting_seen);
  Status walk(const StepChooser& chooser, const TraceClaim& claim);
  Status go_around(const StepChooser& chooser, TraceClaim& claim);
  Status finish_expansion();
  bool equal_states(const Word* a, const Word* b) const;
  void take(u32 choice);

  Model judge_;
  u32 words_ = 0;
  SuccessorBuffer buffer_;
  Word* state_ = nullptr;
  Word* previous_ = nullptr;
  Word* loop_ = nullptr;
  StepChooser chooser_;
  Expansion expansion_;
  bool expanded_ = false;
  u64 index_ = 0;
  u32 label_ = kNone;
  u32 label_repeat_ = 0;
};

// The path that an engine found.
class EnginePath {
 public:
  // `searched` is what the engine saw of the judge's model. Where its states stand for others, by
  // its canonical() or by `map` from those of the judge, a step leads to any state that the
  // engine's one stands for.
  void plan(Engine& engine, const Model& searched, const StateMap& map, Arena& arena);
  // The path ends with a loop, which can be gone around.
  void set_loop(u64 prefix_steps, u64 cycle_steps) {
    prefix_ = prefix_steps;
    cycle_ = cycle_steps;
  }
  StepChooser chooser() { return {this, &EnginePath::choose}; }

 private:
  static u32 choose(void* self, u64 index, u32 count, const SuccessorBuffer& from);
  bool is_wanted(const Word* state);

  Engine* engine_ = nullptr;
  Model searched_;
  StateMap map_;
  u32 judge_words_ = 0;
  Word* wanted_ = nullptr;
  Word* canonical_ = nullptr;
  u64 prefix_ = 0;
  u64 cycle_ = 0;
};

}  // namespace xmc
