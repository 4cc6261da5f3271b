// RunSet: a set of keys on flash, as a few sorted runs of different ages: what a diagram could not
// hold any more. Each run has a file of its own, so that runs that were merged give their space
// back. When there are too many, the smallest ones are merged into one: a key is rewritten once for
// each doubling of the set or so.
#pragma once

#include <span>

#include "store/run_file.h"
#include "store/run_reader.h"
#include "xmc/device.h"

namespace xmc {

class RunSet {
 public:
  static constexpr u32 kMostRuns = 8;
  static constexpr const char* kNames[kMostRuns + 1] = {
      "runs.0", "runs.1", "runs.2", "runs.3", "runs.4", "runs.5", "runs.6", "runs.7", "runs.8"};
  static constexpr u64 kLeastMemory = u64{(kMostRuns + 2) * 2} * kRunBlockBytes * 2;

  // `memory`: aligned for devices. Half of it becomes buffers, half of it indexes.
  void init(Folder& folder, std::span<u8> memory, u32 key_words, u64 skip_bytes);
  // Closes and removes all files.
  Status clear();

  bool empty() const { return count_ == 0; }
  u32 runs() const { return count_; }
  u64 keys() const;
  u64 blocks() const;
  u64 rewritten_keys() const { return rewritten_; }
  u64 index_bytes() const;

  // A new run, of ascending keys. Passes are void afterwards.
  Status begin_run(KeyCodec codec);
  Status append(const Word* keys, u32 count) { return writer_.append(keys, count); }
  Status end_run();

  // A pass: sorted batches, each behind the one before; bits of keys that are known are cleared.
  void begin_pass();
  Status drop_known(const Word* keys, u32 count, u64* fresh, u64& hits);

 private:
  struct Place {
    Run run;
    u32 file = 0;  // in kNames
    u32 slot = 0;  // of its index
  };
  // What readers have under way comes to its end; nobody needs it any more.
  void settle();
  Status merge_smallest();
  Status open_writer(KeyCodec codec);
  u32 free_file() const;
  u32 free_slot() const;
  std::span<u8> buffer(u32 i) const {
    return memory_.subspan(std::size_t{i} * buffer_bytes_, buffer_bytes_);
  }
  std::span<Word> index(u32 slot) const;

  Folder* folder_ = nullptr;
  std::span<u8> memory_;
  u32 words_ = 0;
  u64 skip_bytes_ = 0;
  u32 buffer_bytes_ = 0;  // kMostRuns for readers, one for the writer
  u32 index_words_ = 0;
  Place places_[kMostRuns + 1];
  u32 count_ = 0;
  RunReader readers_[kMostRuns + 1];
  RunWriter writer_;
  Place writing_;
  u64 rewritten_ = 0;
};

}  // namespace xmc
