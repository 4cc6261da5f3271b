// SymbolicRun: from a model to a verdict with sets of states, for whoever has memory for it.
//
// The closure of the initial states under all steps is computed by saturation, or breadth-first
// where levels are asked for (symbolic_levels.cc). A violation that the
// set has is then searched for level by level, with the levels kept as diagrams, so that a shortest
// path to it can be taken backwards: that costs a multiple of the closure, and is done only when it
// is known that there is one. Of a product, an accepting cycle is decided and found first
// (accepting_cycles.h), and then a shortest path to one of its states: not a shortest lasso.
//
// All of it is done in portions of work. What a portion has left undone the next one goes on with,
// unless there is no memory. A portion also ends where a checkpoint is due (options.checkpoints).
#pragma once

#include "engine/search/search.h"
#include "engine/symbolic/accepting_cycles.h"
#include "engine/symbolic/set_checkpoint.h"
#include "engine/symbolic/symbolic_search.h"
#include "store/checkpoint/lines.h"
#include "xmc/engine.h"
#include "xmc/text.h"

namespace xmc {

class SymbolicRun {
 public:
  // Where it is.
  enum class Phase : u8 {
    closing,  // the states are not all known
    judging,  // they are, and nothing is known of them
    cycling,  // none of them is bad, and there may be an accepting cycle
    tracing,  // one of them is bad, or there is such a cycle, but the path is not known
    decided,  // the outcome has it all
  };

  // The search has the model, options, control and outcome, and buffers for an expansion.
  void begin(Search& search, std::span<u8> memory, const SymbolicSearch::Choices& choices);
  // With --full, before the closure, which may take for ever: looks for a violation in the first
  // levels, with little work. What is found is in the outcome, with its path, whatever comes later.
  void look_first();
  // Goes on, with so much work at most. False: what is asked for is not done, see stop_reason().
  bool advance(u64 work);
  // The same, but to know the verdict is enough: the end may be Phase::tracing. Of the search it
  // uses nothing but the outcome, if somebody else is asked whether to go on: then it can be called
  // on another thread than the search's.
  bool decide(u64 work);
  bool decide(u64 work, const GoOn& ask);

  // Instead of begin(): goes on from a checkpoint. It is stopped if there is no room for that.
  Status restore(Search& search, std::span<u8> memory, const SymbolicSearch::Choices& choices,
                 SetCheckpoint& file, Lines& io);
  // Between two portions.
  Status save(SetCheckpoint& file, Lines& io);
  // Whether there is anything to save that the last call of this did not know of. If not, the next
  // checkpoint is not due before twice as much work is done: a portion that is too short to get
  // anywhere is done again and again.
  bool has_news();

  Phase phase() const { return phase_; }
  SymbolicSearch& sets() { return sets_; }
  const AcceptingCycles& cycles() const { return cycles_; }
  SetDiagram::Stop stop_reason() { return sets_.diagram().stop_reason(); }
  // The same as a stop of the search.
  Status stop_status();
  // Figures of the sets, for the outcome.
  void note_figures();
  // Of a run that was stopped: while the path is looked for, names the violation of some bad state,
  // without one; or the one that an earlier process had found.
  void name_violation();
  void path_state(u64 i, Word* out);
  // What was chosen and done, for people.
  void describe(Text& out);

 private:
  bool close();
  bool close_by_levels();
  bool count_level(Node level, LevelCounts& counts);
  void end_level(const LevelCounts& level);
  bool next_level(Node level, Node& known, Node& fresh);
  bool judge();
  bool decide_cycles();
  bool count_steps();
  bool trace();
  bool look_for_bad();
  bool allow_first(u64 end);
  bool look_in_levels(u64 end);
  bool judge_level(Node level);
  bool take_bad(Node bad, Node at_once);
  bool path_back();
  void record_path();
  void forget_path();
  GoOn asking();
  // What a checkpoint says beside the sets.
  struct Said {
    u32 level = 0;  // of the row
    u32 step = 0;
    bool bad_found = false;
    u32 row = 0;  // levels that are saved
    AcceptingCycles::Place cycles;
  };
  void lines(Lines& io, Said& said);
  bool is_due(bool level_end);
  bool end_portion();
  void begin_with(Search& search, std::span<u8> memory);
  void record(const Word* state, u64 steps);

  Search* search_ = nullptr;
  SymbolicSearch sets_;
  Phase phase_ = Phase::closing;
  u64 levels_ = 0;  // that the states have so far, where they are found by levels
  LevelCounts counts_;
  Progress progress_;
  u32 level_ = 0;  // of the row, while a path is looked for
  bool bad_found_ = false;
  // Of the checkpoint.
  struct Known {
    Violation kind = Violation::none;
    u32 predicate = kNone;
    u32 error_label = kNone;
  };
  Known known_;
  AcceptingCycles cycles_;
  u32 entry_ = 0;  // the word of the cycle that the path leads to
  u32 step_ = 0;   // of the path, backwards
  // While all states are judged: steps of the system that were asked for, and how many it has of
  // them.
  u32 asked_ = 0;
  WideCount counted_;

  u64 work_before_ = 0;  // of the run's earlier processes
  // What a checkpoint had last, and the work after which the next one may be.
  struct Saved {
    Phase phase = Phase::closing;
    u32 level = 0;
    u32 step = 0;
    u32 asked = 0;
    Node states = kEmptySet;
    AcceptingCycles::Place cycles;
    u64 work = 0;
    u64 next_work = 0;
  };
  Saved saved_;
};

}  // namespace xmc
