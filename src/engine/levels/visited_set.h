// VisitedSet: how an engine with a queue file tells new states from known ones, the one thing in
// which such engines differ. A LevelSearch owns the loop and calls these; the set gives new states
// to the Frontier. All sets have what is virtual here, and what is virtual is for all sets.
#pragma once

#include "engine/levels/frontier.h"

namespace xmc {

class VisitedSet {
 public:
  // --- Plan -----------------------------------------------------------------------------------

  void attach(Frontier& frontier) { frontier_ = &frontier; }
  // Memory beside the frontier's region, carved by plan().
  virtual u64 own_bytes(const Model&, const SearchOptions&) const { return 0; }
  virtual u64 least_region(const Model& model, const SearchOptions& options) const = 0;
  virtual void plan(Arena&) {}

  // --- A run ----------------------------------------------------------------------------------

  // Before the first state: the set is empty. Behind a stage in front (table_phase.h) it has the
  // states of the queue.
  virtual Status begin() = 0;
  // `count` successors in the search's buffer.
  virtual Status take(u32 count) = 0;
  // Everything that was taken is either known or enqueued when this returns. At the end of a level,
  // and before a checkpoint.
  virtual Status settle(bool level_end) = 0;
  // After the last level: figures that need another look.
  virtual Status conclude() { return {}; }
  // Whether that needs what restore() makes.
  virtual bool concludes() const { return false; }

  // Lines and files of its own for a checkpoint, right after settle().
  virtual void lines(Lines&) {}
  // After a resume: the set is what the queue holds.
  virtual Status restore(Lines& io) = 0;

  // --- Figures --------------------------------------------------------------------------------

  // Distinct states, as far as they are known.
  virtual u64 states() const { return queue().keys(); }
  // Whether nothing that was counted may be a repeat. After the last level conclude() has seen to
  // that; a run that ends before has no counts otherwise.
  virtual bool counts_are_exact() const { return true; }

 protected:
  constexpr VisitedSet() = default;
  ~VisitedSet() = default;

  Search& search() const { return frontier_->search; }
  KeyFile& queue() const { return frontier_->queue; }
  std::span<u8> region() const { return frontier_->memory.region; }
  SearchStats& stats() const { return frontier_->search.stats(); }
  const LevelPlace& at() const { return frontier_->at; }

  Frontier* frontier_ = nullptr;
};

}  // namespace xmc
