// Builder: a perfect hash from a stream of keys, in the memory given, with sequential writes only.
//
// Keys are sorted (record_sorter.h), so that those of a page come together; each page is built and
// appended. What a page has no room for goes through a second sorter into the next layer. Twice the
// same hash is seen while merging: no function can tell them apart, so the caller hashes its states
// with another seed and begins again (probability 0.1% for 200 million keys).
//
// The page file is finished when its footer is there, which is appended and synced last. The runs
// file can be emptied afterwards.
//
// A build that is interrupted can go on from a checkpoint: runs that were written stay, and so do
// pages of the first layer, which has nearly all keys. The runs are then read from the first key of
// the next page on.
#pragma once

#include <span>

#include "phf/build_memory.h"
#include "phf/format.h"
#include "phf/record_sorter.h"
#include "xmc/device.h"
#include "xmc/run_control.h"
#include "xmc/status.h"
#include "xmc/types.h"

namespace xmc::phf {

// Where a build is.
struct BuildCheckpoint {
  bool writing = false;  // pages: all keys are in runs, or in memory if there is no run
  u64 keys = 0;          // in runs: the first ones that were added
  u32 runs = 0;
  u32 spill_runs = 0;  // of keys for the next layer, behind the others
  u64 spilled = 0;     // and so many of them in memory
  u64 run_bytes = 0;   // of the runs file
  u64 pages = 0;       // of the page file
  u64 placed = 0;      // keys in them

  u64 page_bytes(const PageShape& shape) const { return pages * shape.page_bytes; }
};

struct BuildConfig {
  PageShape shape;
  u64 hash_seed = 0;           // kept in the file
  u64 pinned_limit = ~u64{0};  // refuse a hash whose later layers would not fit in so many bytes
  RunControl control;          // asked once per 262,144 keys, and per page of the first layer
  // Called before the first page and after each one of the first layer: the time to
  // save_checkpoint().
  void* owner = nullptr;
  Status (*between_pages)(void* owner) = nullptr;
};

struct BuildStats {
  u64 added_keys = 0;
  u64 runs = 0;
  u64 run_bytes = 0;   // written to the runs file
  u64 page_bytes = 0;  // written to the page file
  u64 bumped_keys = 0;
  u64 reseeds = 0;    // seeds that had no function for a page
  u64 collision = 0;  // the hash that came twice
};

enum class Outcome : u8 {
  built,
  collision,  // two keys have the same hash: take another seed
};

class Builder {
 public:
  // Two empty devices. `memory` is aligned to their blocks; plan() says how much is needed at
  // least. It is in use until finish() returned, an add() failed, or the devices are closed.
  Status start(const BuildConfig& config, Device* pages, Device* runs, std::span<u8> memory);
  // `value` has shape.value_bits bits.
  Status add(u64 hash, u32 value);
  // Writes the file. The page file is emptied when this fails or finds a collision, unless there is
  // a checkpoint of this build or it was stopped from outside.
  Result<Outcome> finish();

  // While keys are added, between pages, or after Code::stopped: makes durable what there is of
  // both files and says where the build is. Where runs end is run_end(), those of the spill behind
  // the others; spilled(i) are keys for the next layer.
  Status save_checkpoint(BuildCheckpoint& checkpoint);
  // Not while later layers are written, nor while keys are added again whose pages are there: then
  // the checkpoint before is still true.
  bool can_save_checkpoint() const { return layout_.layers == 0 && (writing_ || !from_.writing); }
  u64 run_end(u32 run) const;
  Record spilled(u64 i) const { return sorters_[1].record_in_memory(i); }
  // In place of start(): the same files, of which what came after the checkpoint is cut off. Then
  // add_run() for all runs, add_spilled() for all that was spilled, add() for the keys from
  // checkpoint.keys on, and finish().
  Status resume(const BuildConfig& config, Device* pages, Device* runs, std::span<u8> memory,
                const BuildCheckpoint& checkpoint);
  // False: the memory is too small for so many.
  bool add_run(u64 end);
  Status add_spilled(const Record& record) { return sorters_[1].add(record.hash, record.value); }

  const FileLayout& layout() const { return layout_; }
  const BuildStats& stats() const { return stats_; }

 private:
  Status prepare(const BuildConfig& config, Device* pages, Device* runs, std::span<u8> memory);
  Result<Outcome> write_layers();
  u64 first_hash_of(u64 page, u64 pages) const;
  Status page_done();
  Status write_layer(RecordSorter& from, RecordSorter& spill, Layer& layer);
  Status collect(RecordSorter& from, u64 page, u64 pages, RecordSorter& spill);
  Status write_page(u64 page, RecordSorter& spill);
  bool take_next(RecordSorter& from);
  Status spill_record(const Record& record, RecordSorter& spill);
  std::span<u8> output() const {
    return memory_.output.subspan(half_ * (memory_.output.size() / 2))
        .first(memory_.output.size() / 2);
  }
  Status flush_output();
  void settle();
  Status write_end();
  Status poll();
  Status check_pinned() const;

  BuildConfig config_;
  Device* pages_ = nullptr;
  Device* runs_ = nullptr;
  BuildMemory memory_;
  RecordSorter sorters_[2];
  FileLayout layout_;
  BuildStats stats_;
  BuildCheckpoint from_;  // what it goes on from
  bool saved_ = false;    // there is a checkpoint of it
  bool writing_ = false;  // pages
  u64 pages_done_ = 0;    // of the first layer
  u64 placed_ = 0;        // keys in pages so far
  u32 half_ = 0;          // of the output buffer, that is being filled
  u32 filled_ = 0;        // bytes of it
  // The layer that is being written.
  Record held_ = {};  // the next record
  bool holding_ = false;
  bool collision_ = false;
  u32 collected_ = 0;  // records of the page
  u32 threshold_ = 0;
};

}  // namespace xmc::phf
