// LevelSearch: breadth-first search whose queue is a file. What the engines that keep their states
// on flash have in common: the level loop, the judging of states, limits, counterexamples,
// checkpoints. They differ in one thing, how they tell new states from known ones: in their
// VisitedSet.
//
//   for each state of the level, read from the queue: expand it, the set take()s its successors
//   at the end of the level: the set settle()s; what it enqueued is the next level
//
// A counterexample is found backwards, by expanding the level before until a predecessor shows up:
// at most one more expansion of everything (level_path.h).
//
// Some sets enqueue a state again that they could not recognise in time. A state's first occurrence
// has its true level all the same (everything expanded at step k has a distance of at most k, and
// all states at distance k are among it), so counterexamples stay shortest; Frontier::take_back()
// undoes the counts of the other occurrences.
#pragma once

#include "engine/levels/frontier.h"
#include "engine/levels/level_expander.h"
#include "engine/levels/level_path.h"
#include "engine/levels/look_ahead.h"
#include "engine/levels/table_phase.h"
#include "engine/levels/visited_set.h"
#include "engine/owners/crew.h"
#include "xmc/engine.h"

namespace xmc {

class OldQueues;

class LevelSearch : public CrewMember {
 public:
  u64 minimum_bytes(const Model& model, const SearchOptions& options) const override;
  bool divides(const Model& model, const SearchOptions& options) const override;
  Status plan(const Model& model, const SearchOptions& options, Arena& arena) override;
  Status run(const RunControl& control, SearchOutcome& outcome) override;
  void path_state(u64 i, Word* out) override;

  // Whether its set can be one of several.
  virtual bool can_divide() const { return false; }
  void join(const CrewMember& first, Arena& arena) override;
  u64 minimum_alone(const Model& model, const SearchOptions& options) const override;
  Status plan_alone(const Model& model, const SearchOptions& options, Arena& arena) override;
  Status run_alone(const RunControl& control, SearchOutcome& outcome) override;

  // Before plan(): somebody who looks for accepting cycles in what this search finds.
  void set_cycle_finder(CycleFinder* finder) { frontier_.finder = finder; }
  CycleFinder* cycle_finder() const { return frontier_.finder; }
  // Of the counterexample's prefix, which path_state() has.
  u64 path_steps() const { return path_.steps(); }
  // Of what was set aside for the cycle finder.
  u64 reclaimed_bytes() const { return frontier_.memory.reclaimed_in_all; }
  // Whether it ended in the table that it began with.
  bool ended_in_table() const { return table_ != nullptr && table_->ended(); }

 protected:
  // `table`: the search begins there, and the set comes behind it.
  constexpr explicit LevelSearch(VisitedSet& set, TablePhase* table = nullptr)
      : set_(set), table_(table) {}
  ~LevelSearch() = default;

  Frontier frontier_;

 private:
  u64 finder_bytes() const;
  void carve_buffers(Arena& arena, u64 slots);
  u64 aside_of(u64 memory) const;
  void carve_region(Arena& arena);
  Status run_to_end(SearchOutcome& outcome);
  Status start();
  Status start_set();
  Status search_to_end(StopReason stop, bool resumed);
  Status search();
  Status expand_level();
  Status expand_states();
  Status flush_buffer();
  Status meet_before(const Status& stop, u64 level_states);
  Status next_level(bool& done);
  // One owner of several (divided_levels.cc).
  Status search_divided();
  Status expand_divided_level();
  Status follow_orders();
  Status end_divided_level();
  Status share_out(u32 count);
  Status take(Word* states, u32 count);
  // With another number of owners (divide_anew.cc).
  Status divide_anew();
  bool forget_cycle();
  Status hear_of_parts();
  Status move_level(bool expanded);
  Status take_divided(const Word* states, u32 count);
  Status checkpoint_if_due(bool level_end);
  Status restore_checkpoint(const Manifest& manifest);
  void forget_counts();

  VisitedSet& set_;
  TablePhase* const table_;
  LevelExpander expander_;
  LookAhead look_;
  LevelPath path_;
  OldQueues* dividing_ = nullptr;  // what comes from others goes to the queue as it is
  Crew* crew_ = nullptr;  // of searches that share the states, if this one has more than one
};

// A level search with a set of this kind, which says what the engine is.
template <class Set>
class LevelEngine final : public LevelSearch {
 public:
  constexpr LevelEngine() : LevelSearch(set_) {}
  const EngineTraits& traits() const override { return Set::kTraits; }
  const Set& set() const { return set_; }

 private:
  Set set_;
};

}  // namespace xmc
