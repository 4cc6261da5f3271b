// The `diagram` engine: breadth-first search whose visited set is a decision diagram in memory.
//
// It begins like `ram`, with all states in a table. When that is nearly full, the states go to the
// queue file, the memory is laid out anew, and the set continues as a diagram
// (store/diagram/diagram.h), which needs a small part of the table's size for most models:
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
// When the diagram does not fit either, `diagram` ends with StopReason::ram. As `auto` it is
// written to flash as a sorted run and begins anew (store/tiered/diagram_set.h). From then on a
// batch that is full before its level ends waits as a run of candidates, so that a level compares
// its candidates with the runs once; or several small levels do so together, where that pays
// (diagram_wait.cc).
#pragma once

#include "engine/diagram/run_wait.h"
#include "engine/levels/level_search.h"
#include "store/diagram/key_order.h"
#include "store/runs/candidate_runs.h"
#include "store/tiered/diagram_set.h"
#include "store/tiered/sorted_keys.h"

namespace xmc {

class DiagramEngine final : public LevelSearch {
 public:
  constexpr explicit DiagramEngine(bool spills = false) : spills_(spills) {}

  const char* name() const override { return spills_ ? "auto" : "diagram"; }
  FlashUse flash_use() const override {
    return {1, 0, spills_ ? "sorted runs, about as much again, once the diagram does not fit" : ""};
  }
  void path_state(u64 i, Word* out) override;

  // After plan(): leave the table at this many states even if there is room.
  void hand_over_after(u64 states) { search_.hand_over.after_states = states; }
  // So many levels wait at a time, whatever that costs.
  void wait_for_levels(u32 levels) { levels_to_wait_ = levels; }
  u64 rebuilds() const { return rebuilds_; }
  u64 splits() const { return splits_; }
  u64 spills() const { return set_.spills(); }

 private:
  static constexpr u32 kSampleStates = 50000;
  static constexpr u64 kUseless = ~u64{0};

  u64 own_bytes(const Model& model, const SearchOptions& options) const override;
  u64 least_region(const Model& model, const SearchOptions& options) const override;
  void plan_own(Arena& arena) override;
  Status start(StopReason& stop) override;
  Status begin_store() override { return {}; }
  Status restore_store(const Manifest& manifest) override;
  Status take(u32 count, StopReason& stop) override;
  Status settle(bool level_end, StopReason& stop) override;
  u64 states() const override;
  bool counts_are_exact() const override { return !unchecked(); }
  Status conclude() override;
  Status save_store(Manifest& manifest) override;
  Status close_store() override { return set_.close(); }

  Status save_table();
  Status table_level_done();
  Status enter_diagram(StopReason& stop);
  bool lay_out(u64 diagram_bytes);
  u32 buffer_words() const;
  u64 share_of_pool() const;
  u64 most_diagram() const;
  Status share_out();
  Status resize_diagram(u64 bytes);
  Status measure_orders();
  Status measure_orders(u32 sample, u64 most);
  Status use_order(u32 candidate);
  // `coded` is false when a key could not be made: see KeyOrder::to_key.
  Status insert_from_queue(u64 count, const KeyBuffers& buffers, bool& coded, StopReason& stop);
  struct QueuedBatch;
  Word* begin_queued(QueuedBatch& batch, Word* keys, Word* other, u32 count);
  Status finish_queued(QueuedBatch& batch, StopReason& stop);
  Status build_joined(StopReason& stop);
  Status join_digits();
  Status begin_set();
  bool make_keys(u32 count);
  bool make_room(u32 count);
  Status split_around_batch(u32 count, StopReason& stop);
  Status rebuild(const KeyBuffers& buffers, bool& done);
  Status rebuild_around_batch(u32 count, StopReason& stop);
  Status flush_batch(bool all, StopReason& stop);
  Status sort_batch(u32& count, StopReason& stop);
  Status hold_back(u32 count);
  Status add_to_diagram(u32 count, StopReason& stop);
  Status add_to_run(u32 count, StopReason& stop);
  Status settle_held_back(StopReason& stop);
  bool grow_around_batch(u32& done, u32& count);
  bool batch_full() const;
  Status compare_rest(Word*& keys, u32& count, u32& done, bool& compared);
  Status insert_batch(u32 count, u32 done, StopReason& stop);
  // Keys that the queue has, and candidates.
  enum class Insert : u8 { queued, candidates };
  Status insert_sorted(const Word* keys, u32 count, u32& done, Insert how, StopReason& stop);
  u32 decode_fresh(const Word* keys, u32 count, const u64* fresh, u32& next, Word* states) const;
  Status enqueue_fresh(const Word* keys, u32 count, StopReason& stop, u32 next = 0);
  Status enqueue_states(const Word* states, u32 count, StopReason& stop);
  Status insert_and_compare(u32 count, bool all, bool& table_lives, StopReason& stop);
  // Levels that wait: diagram_wait.cc.
  static constexpr u64 kAllChecked = ~u64{0};
  bool unchecked() const { return unchecked_ != kAllChecked; }
  bool may_wait(u32 candidates);
  void forget_waiting();
  Status insert_unchecked(u32 count, StopReason& stop);
  Status check_waiting();
  Status find_waiting(u64 first, u32 count, u32& hits);
  Status take_back_waiting(u64 first, u32 count, u32 hits);
  Status load_waiting(const Manifest& manifest);
  Status number_waiting(bool& coded);
  Status restore_waiting(StopReason& stop);
  // On several threads: diagram_beside.cc.
  struct Insertion;
  bool beside(u32 count) const;
  bool room_ahead() const override;
  Status insert_beside(u32 count, bool& table_lives, StopReason& stop);
  Status look_ahead_beside(const Insertion& job);

  bool spills_;
  KeyOrder order_;
  DiagramSet set_;
  CandidateRuns held_back_;

  // Parts of the region after the hand-over.
  std::span<u8> batch_region_;
  u32 batch_states_ = 0;
  Word* keys_ = nullptr;
  Word* sorted_ = nullptr;
  u64* fresh_ = nullptr;
  Word* batch_keys_ = nullptr;  // in keys_ or sorted_
  std::span<u8> held_memory_;   // of held_back_
  u64 pool_bytes_ = 0;          // at the front of the region, for runs
  std::span<u8> diagram_region_;
  bool squeezed_ = false;   // the keys have taken room from the diagram
  u64 shared_at_ = 0;       // collections of the diagram at the last share_out()
  bool sampling_ = false;   // orders are being compared
  bool inserting_ = false;  // another thread is at the diagram

  RunWait wait_;
  u64 unchecked_ = kAllChecked;  // the first state of the queue that the runs may have
  u64 proper_levels_ = 0;        // levels that have more than repeats; 0: none ever waited
  struct {
    u64 unchecked = kAllChecked;
    u64 proper_levels = 0;
  } marked_;  // of mark_
  u32 levels_waited_ = 0;
  u32 levels_to_wait_ = 0;   // 0: as it pays
  u64 settled_ns_ = 0;       // when expansion began
  u64 expansions_then_ = 0;  // and how many there were

  u64 order_words_[KeyOrder::kCandidates] = {};  // diagram of the first states; kUseless: tried
  u64 rebuilds_ = 0;
  u64 splits_ = 0;                  // of digits
  Status* table_status_ = nullptr;  // of a checkpoint that the table's search asked for
};

}  // namespace xmc
