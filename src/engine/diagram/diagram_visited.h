// DiagramVisited: a visited set that is a decision diagram in memory (engines `diagram` and
// `explicit`).
//
// The search begins like `ram`, with all states in a table (levels/table_phase.h). When that is
// nearly full, the states go to the queue file, the memory is laid out anew, and this set begins
// with them, as a diagram (store/diagram/diagram.h), which needs a small part of the table's size
// for most models:
//
//   | batch table, sort scratch | keys | diagram: nodes, slots, marks |
//
// Successors are collected in the batch table (which drops repeats), sorted as keys and inserted
// into the diagram, which tells the new ones; these are appended to the queue file, the next level.
// The order of a key's fields is chosen on the first states: the one with the smallest diagram;
// when that one stops fitting, the next one takes all states from the file.
//
// I/O: each state is written once (about 5 bytes, coded against the one before) and read once.
// States, transitions and levels are those of `ram`. A product that fits the table is searched for
// accepting cycles, too; of a larger one the states are counted.
//
// When the diagram does not fit either, `diagram` ends with StopReason::ram. For `explicit` it is
// written to flash as a sorted run and begins anew (store/tiered/diagram_set.h). From then on a
// batch that is full before its level ends waits as a run of candidates, so that a level compares
// its candidates with the runs once; or several small levels do so together, where that pays
// (waiting_levels.h).
#pragma once

#include "engine/diagram/diagram_layout.h"
#include "engine/diagram/steps_back.h"
#include "engine/diagram/waiting_levels.h"
#include "engine/levels/visited_set.h"
#include "store/diagram/key_order.h"
#include "store/runs/candidate_runs.h"
#include "store/tables/state_table.h"
#include "store/tiered/diagram_set.h"
#include "store/tiered/sorted_keys.h"

namespace xmc {

// One memory is laid out for batches, keys and the diagram (diagram_layout.h), and everything here
// moves in it: orders, splits, spills and the other thread are files of one class.
class DiagramVisited final : public VisitedSet {
 public:
  constexpr explicit DiagramVisited(bool spills) : spills_(spills) {}

  // So many levels wait at a time, whatever that costs.
  void wait_for_levels(u32 levels) { waiting_.wait_for(levels); }
  u64 rebuilds() const { return orders_.rebuilds; }
  u64 splits() const { return orders_.splits; }
  u64 spills() const { return set_.spills(); }

  u64 own_bytes(const Model& model, const SearchOptions& options) const override;
  u64 least_region(const Model& model, const SearchOptions&) const override {
    return DiagramLayout::least_region(model, spills_);
  }
  void plan(Arena& arena) override;
  // Before a run: nothing waits. At its end: closes what Frontier::files did not open.
  void forget();
  Status close() { return set_.close(); }
  Status begin() override { return enter_diagram(); }
  Status take(u32 count) override;
  Status settle(bool level_end) override;
  Status conclude() override;
  void lines(Lines& io) override { waiting_.lines(io); }
  Status restore(Lines& io) override;
  u64 states() const override;
  bool counts_are_exact() const override { return !waiting_.any(); }

 private:
  static constexpr u32 kSampleStates = 50000;
  static constexpr u64 kUseless = ~u64{0};

  KeyReader& reader() const { return frontier_->reader; }

  Status enter_diagram();
  Status leave_table();

  // --- The memory (diagram_layout.h, diagram_growth.cc) ---------------------------------------

  Status share_out();
  bool move_diagram(u64 bytes);
  Status resize_diagram(u64 bytes);
  bool grow_around_batch(u32& done, u32& count);

  // --- Batches --------------------------------------------------------------------------------

  // Keys that the queue has, and candidates.
  enum class Insert : u8 { queued, candidates };
  bool batch_full() const;
  Status flush_batch(bool all);
  Status insert_and_compare(u32 count, bool all, bool& table_lives);
  Status insert_batch(u32 count, u32 done);
  Status insert_sorted(const Word* keys, u32 count, u32& done, Insert how);
  u32 decode_fresh(const Word* keys, u32 count, const u64* fresh, u32& next, Word* states) const;
  Status enqueue_fresh(const Word* keys, u32 count, u32 next = 0);
  Status enqueue_states(const Word* states, u32 count);

  // --- Orders of fields (diagram_orders.cc) ---------------------------------------------------

  Status measure_orders();
  Status measure_orders(u32 sample, u64 most);
  Status use_order(u32 candidate);
  struct QueuedBatch;
  // `full`: the set has no room. `uncoded`: a key could not be made, see KeyOrder::to_key.
  enum class Filling : u8 { done, full, uncoded };
  Result<Filling> insert_from_queue(u64 count, const KeyBuffers& buffers);
  Word* begin_queued(QueuedBatch& batch, Word* keys, Word* other, u32 count);
  Result<bool> finish_queued(QueuedBatch& batch);
  Status rebuild(const KeyBuffers& buffers, bool& done);
  Status rebuild_around_batch(u32 count);

  // --- Keys of joined fields (diagram_keys.cc) ------------------------------------------------

  Status build_joined();
  Status join_digits();
  Status begin_set();
  bool make_keys(u32 count);
  bool make_room(u32 count);
  Status sort_batch(u32& count);
  Status split_around_batch(u32 count);

  // --- After a spill (diagram_spilled.cc) -----------------------------------------------------

  Status hold_back(u32 count);
  Status compare_rest(Word*& keys, u32& count, u32& done, bool& compared);
  Status add_to_diagram(u32 count);
  Status add_to_run(u32 count);
  Status settle_held_back();

  Status compare_waiting() { return waiting_.compare(layout_.keys, layout_.batch_states); }
  Status insert_unchecked(u32 count);
  Status restore_waiting();

  // --- On several threads (diagram_beside.cc) -------------------------------------------------

  struct Insertion;
  bool beside(u32 count) const;
  Status insert_beside(u32 count, bool& table_lives);
  Status look_ahead_beside(const Insertion& job);
  bool has_room_ahead() const;

  bool spills_;
  StepsBack back_;
  bool taking_ = false;  // states wait in the search's buffer
  KeyOrder order_;
  DiagramSet set_;
  CandidateRuns held_back_;
  StateTable table_;            // of the batch
  Word* batch_keys_ = nullptr;  // in one of the layout's buffers

  DiagramLayout layout_;  // after the hand-over

  struct {
    u64 words[KeyOrder::kCandidates] = {};  // diagram of the first states; kUseless: tried
    bool sampling = false;                  // orders are being compared
    u64 rebuilds = 0;
    u64 splits = 0;  // of digits
  } orders_;

  WaitingLevels waiting_;
};

}  // namespace xmc
