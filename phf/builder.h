// Builder: a perfect hash from a stream of keys, in the memory given, with sequential writes only.
//
// Keys are sorted (record_sorter.h), so that those of a page come together; each page is built and
// appended. What a page has no room for goes through a second sorter into the next layer. Twice the
// same hash is seen while merging: no function can tell them apart, so the caller hashes its states
// with another seed and begins again (probability 0.1% for 200 million keys).
//
// The page file is finished when its footer is there, which is appended and synced last. A build
// that was interrupted begins again from the keys; nothing of it is used. The runs file can be
// emptied afterwards.
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

struct BuildConfig {
  PageShape shape;
  u64 hash_seed = 0;           // kept in the file
  u64 pinned_limit = ~u64{0};  // refuse a hash whose later layers would not fit in so many bytes
  RunControl control;          // asked once per 262,144 keys
};

struct BuildStats {
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
  // Writes the file. The page file is emptied when this fails or finds a collision.
  Result<Outcome> finish();

  const FileLayout& layout() const { return layout_; }
  const BuildStats& stats() const { return stats_; }

 private:
  Result<Outcome> write_layers();
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
  u64 placed_ = 0;  // keys in pages so far
  u64 polled_at_ = 0;
  u32 half_ = 0;    // of the output buffer, that is being filled
  u32 filled_ = 0;  // bytes of it
  // The layer that is being written.
  Record held_ = {};  // the next record
  bool holding_ = false;
  bool collision_ = false;
  u32 collected_ = 0;  // records of the page
  u32 threshold_ = 0;
};

}  // namespace xmc::phf
