// SymbolicRun: from a model to a verdict with sets of states, for whoever has memory for it.
//
// The closure of the initial states under all steps is computed by saturation, or breadth-first
// where levels are asked for (symbolic_levels.cc). A violation that the
// set has is then searched for level by level, with the levels kept as diagrams, so that a shortest
// path to it can be taken backwards: that costs a multiple of the closure, and is done only when it
// is known that there is one.
//
// All of it is done in portions of work. What a portion has left undone the next one goes on with,
// unless there is no memory.
#pragma once

#include "engine/search/search.h"
#include "engine/symbolic/symbolic_search.h"
#include "xmc/engine.h"
#include "xmc/text.h"

namespace xmc {

class SymbolicRun {
 public:
  // Where it is.
  enum class Phase : u8 {
    closing,  // the states are not all known
    judging,  // they are, and nothing is known of them
    tracing,  // one of them is bad, but the path to it is not known
    decided,  // the outcome has it all
  };

  // The search has the model, options, control and outcome, and buffers for an expansion.
  void begin(Search& search, std::span<u8> memory, const SymbolicSearch::Choices& choices);
  // Goes on, with so much work at most. False: what is asked for is not done, see stop_reason().
  bool advance(u64 work);

  Phase phase() const { return phase_; }
  SymbolicSearch& sets() { return sets_; }
  SetDiagram::Stop stop_reason() { return sets_.diagram().stop_reason(); }
  // The same as a stop of the search.
  Status stop_status();
  // Figures of the sets, for the outcome.
  void note_figures();
  // While the path is looked for: names the violation of some bad state, without one.
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
  bool trace();
  bool look_for_bad();
  bool path_back();
  GoOn asking();
  void record(const Word* state, u64 steps);

  Search* search_ = nullptr;
  SymbolicSearch sets_;
  Phase phase_ = Phase::closing;
  u64 levels_ = 0;  // that the states have so far, where they are found by levels
  LevelCounts counts_;
  Progress progress_;
  u32 level_ = 0;  // of the row, while a path is looked for
  bool bad_found_ = false;
  u32 step_ = 0;  // of the path, backwards
};

}  // namespace xmc
