// The `part` engine: Bao and Jones, "Time-Efficient Model Checking with Magnetic Disk" (2005). The
// states are divided into partitions. A few of them are in memory at a time, the ones with the
// longest queues; successors in these are compared at once, others wait in the queue of their
// partition. Each state is expanded once, when its partition is in memory, so there is no delayed
// detection at all; but the order is not breadth-first: there are no levels, and a counterexample
// is a valid path, not a shortest one.
//
//   visited  the states of each partition, packed as in the table (store/partitions/image_log.h)
//   pending  candidates of each partition, with their origins (store/partitions/chain_log.h)
//   origins  for each state in order of expansion: the number of its predecessor in this file, and
//            which of its successors it is
//
// The path of a counterexample is read backwards through the origins and then walked forwards.
//
// Beyond the paper:
//  - the paper divides the states by a hash, so that nearly all successors have to wait. Here a
//    partition that outgrows the memory is split by a field of its states that few of their steps
//    change (store/partitions/partition_tree.h, part_split.cc), and one half stays in memory;
//  - a partition is worked through until nothing in it is new, and as many are in memory as fit;
//  - figure 2 loads D[i] for every state of the queue, here once per activation;
//  - a cache of states that were queued lately keeps most repeats out of the pending log.
// When there are as many partitions as there is room for, one that has outgrown the memory is
// worked through in classes of a hash. A run that goes on with less memory may find partitions that
// never fitted this memory: their images are split on flash, or worked through in such classes.
#pragma once

#include "engine/search/search.h"
#include "store/files/key_file.h"
#include "store/partitions/chain_log.h"
#include "store/partitions/image_log.h"
#include "store/partitions/origin_queue.h"
#include "store/partitions/partition_tree.h"
#include "store/tables/cache_table.h"
#include "xmc/engine.h"

namespace xmc {

class PartEngine final : public Engine {
 public:
  constexpr PartEngine() = default;

  const char* name() const override { return "part"; }
  bool uses_threads() const override { return true; }
  bool finds_shortest_paths() const override { return false; }
  bool keeps_files() const override { return true; }
  FlashUse flash_use() const override {
    return {0, 2, "candidates, and partitions that were written again"};
  }
  u64 minimum_bytes(const Model& model, const SearchOptions& options) const override;
  Status plan(const Model& model, const SearchOptions& options, Arena& arena) override;
  Status run(const RunControl& control, SearchOutcome& outcome) override;
  void path_state(u64 i, Word* out) override;

  u64 activations() const { return activations_; }

 private:
  // An origin: the predecessor's number, and which of its successors; or kNoState, and which of the
  // initial states.
  static constexpr u32 kStepBits = OriginQueue::kStepBits;
  static constexpr u64 kNoState = ~u64{0} >> kStepBits;
  static_assert(limits::kSuccessors <= 1u << kStepBits);
  static constexpr u32 kMostResidents = 6;
  static constexpr u32 kAway = CacheTable::kBatch;

  // The partitions in memory, or one class of a single one.
  struct Residents {
    u32 count = 0;
    u32 leaf[kMostResidents] = {};
    u32 classes = 1;
    u32 chosen = 0;
  };
  // A way to split a partition, and what it does to a sample.
  struct Split {
    u64 pivot = 0;
    u32 low = 0;    // states
    u32 cross = 0;  // steps between the halves
  };
  static constexpr u32 kPivots = 7;  // tried for each field
  static constexpr u32 kSample = 256;

  Status run_to_end();
  Status search();
  void plan_logs(Arena& arena);
  Status open_logs();
  Status begin();
  Residents choose() const;
  bool in_class(u64 hash) const;

  Status activate(const Residents& residents);
  void enter(const Residents& residents);
  Status activate_classes();
  Status load_all();
  void unpack(const ImageLog::Block& block, u32 i, Word* state) const;
  void load_class(const ImageLog::Block& block);
  Status save();
  Status save_one(u32 leaf, StateIndex first);
  Result<u32> sort_batch(u32 count);
  Status drain(ChainReader& reader);
  Status put_back(ChainReader& reader);
  Status expand_new();
  Status expand_table();
  Status expand_one(StateIndex index);
  Expansion expand(StateIndex index);
  void note_successors(u32 count, u64 number);
  Status sort_out();
  Status flush_buffer();
  Status flush_away();
  Status take_in(const Word* states, const u64* origins, u32 count);
  Status append_pending(u32 leaf, const Word* state, u64 origin);
  Status put_back_new();
  Status poll();

  bool may_split() const;
  Status split_full(bool& done);
  Status split_image(u32 leaf);
  Status sample_image(u32 leaf);
  Status copy_half(const ImageLog::Chain& whole, u32 parent, u32 half);
  Status compact(u32 parent, u32 gone);
  PartitionTree::Test choose_test(u32 leaf);
  void take_sample(u32 leaf, u32& count);
  void choose_pivots(u32 field, u32 count);
  u32 count_steps(u32 count);

  Status checkpoint();
  Status restore(const Manifest& manifest);
  Status restore_tree(const Manifest& manifest, u32& nodes);
  Status find_path();
  Status read_origins(u64* steps, u64 room, u64& count);
  bool over() const;

  Search search_;
  StateTable table_;  // of the partitions in memory
  PartitionTree tree_;
  ImageLog visited_;
  ImageLog::Chain images_[PartitionTree::kMostNodes];
  ChainLog pending_;
  KeyFile journal_;  // of origins
  CacheTable lately_queued_;
  ChainLog::Shape pending_shape_;
  std::span<u8> visited_buffer_;
  std::span<u8> pending_buffer_;
  std::span<u8> journal_buffer_;
  std::span<u8> visited_block_;  // to read one, or two
  std::span<u8> pending_block_;
  std::span<u8> region_;  // of the table
  std::span<u8> cache_region_;
  std::span<u8> origins_region_;
  OriginQueue origins_;            // of states in the table that are not expanded yet
  u64* buffer_origins_ = nullptr;  // of the successors in the buffer
  u32* moved_ = nullptr;           // of these, the ones that may be in other partitions
  u16* moved_leaf_ = nullptr;
  u32 moved_count_ = 0;
  Word* batch_ = nullptr;  // candidates for the table
  u64* batch_origins_ = nullptr;
  Word* away_ = nullptr;  // successors in other partitions
  u64 away_origins_[kAway] = {};
  u16 away_leaf_[kAway] = {};
  u32 away_count_ = 0;
  std::span<Split> splits_;  // kPivots for each field
  StateIndex sample_[kSample] = {};
  Device* visited_device_ = nullptr;
  Device* pending_device_ = nullptr;
  Device* journal_device_ = nullptr;

  u64 capacity_ = 0;  // states that the table takes for sure
  Residents residents_;
  bool resident_[PartitionTree::kMostNodes] = {};
  Word mask_[limits::kStateWords] = {};  // bits that decide about partitions in memory
  bool full_ = false;                    // the table refused a state
  bool split_ = false;                   // queues may have candidates of a half that is not here
  bool unsaved_[kMostResidents] = {};    // nothing of this one is in its image
  StateIndex saved_ = 0;                 // first one of the table that is in no image yet
  StateIndex next_ = 0;                  // first one of the table that is not expanded
  u32 fill_ = 0;
  u64 activations_ = 0;
  u64 culprit_ = kNoState;
  Word* path_ = nullptr;
};

}  // namespace xmc
