// RunSet: a set of keys on flash, as a few sorted runs of different ages: what a diagram could not
// hold any more. New runs follow each other in one file, because a card pays for every place where
// writing begins. When there are too many, they are merged into one, together with older ones that
// are no larger than they: a key is rewritten once for each doubling of the set or so. Merged runs
// have a file each, so that they give their space back when they are merged again.
#pragma once

#include <span>

#include "store/runs/run_file.h"
#include "store/runs/run_reader.h"
#include "xmc/device.h"
#include "xmc/go_on.h"

namespace xmc {

class RunSet {
 public:
  static constexpr u32 kMostRuns = 12;
  static constexpr const char* kNames[kMostRuns + 2] = {
      "runs.0", "runs.1", "runs.2", "runs.3",  "runs.4",  "runs.5",  "runs.6",
      "runs.7", "runs.8", "runs.9", "runs.10", "runs.11", "runs.12", "runs.13"};
  static constexpr u64 kLeastMemory = u64{(kMostRuns + 1) * 2} * kRunBlockBytes;

  // `memory`: aligned for devices. Half of it becomes buffers, half of it indexes. After
  // Code::stopped from merge() or drop_known() the set is good for clear() only.
  void init(Folder& folder, std::span<u8> memory, u32 key_words, u64 skip_bytes,
            const GoOn& go_on = {});
  // Closes and removes all files.
  Status clear();

  bool empty() const { return count_ == 0; }
  u32 runs() const { return count_; }
  u64 keys() const;
  u64 blocks() const;
  u64 rewritten_keys() const { return rewritten_; }
  u64 index_bytes() const;

  // A new run, of ascending keys. With a buffer in `spare` others may be read meanwhile.
  Status begin_run(KeyCodec codec, std::span<u8> spare = {});
  Status append(const Word* keys, u32 count) { return writer_.append(keys, count); }
  Status end_run();
  // After a run that was one too many: with buffers in `spare`, if that is more than its own.
  bool full() const { return count_ == kMostRuns; }
  Status merge(std::span<u8> spare);

  // Clears the bits of sorted keys that are known. One run after the other, so that each is read
  // with all the buffers there are; the more keys come at once, the less is read for each.
  Status drop_known(const Word* keys, u32 count, u64* fresh, u64& hits);

 private:
  struct Place {
    Run run;
    u32 file = 0;  // in kNames; 0: with others
    u32 slot = 0;  // of its index
  };
  Status open_writer(u32 file, KeyCodec codec, std::span<u8> buffer);
  Status remove(const Place& place);
  Status drop_known(RunReader& reader, const Word* keys, u32 count, u64* fresh, u64& hits) const;
  u32 free_file() const;
  u32 free_slot() const;
  std::span<u8> own_buffer() const;
  std::span<Word> index(u32 slot) const;

  Folder* folder_ = nullptr;
  GoOn go_on_;
  Device* new_runs_ = nullptr;
  std::span<u8> memory_;
  u32 words_ = 0;
  u64 skip_bytes_ = 0;
  std::size_t buffer_bytes_ = 0;  // of all, before the indexes
  u32 index_words_ = 0;
  Place places_[kMostRuns + 1];
  u32 count_ = 0;
  RunReader readers_[kMostRuns];
  RunWriter writer_;
  Place writing_;
  u64 rewritten_ = 0;
};

}  // namespace xmc
