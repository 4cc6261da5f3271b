// CandidateRuns: sorted batches of candidates that wait on flash for the end of their level, one
// run after the other in a file, and come back as one sorted sequence without repeats.
#pragma once

#include <span>

#include "store/runs/run_file.h"
#include "store/runs/run_merge.h"
#include "store/runs/run_reader.h"
#include "xmc/device.h"
#include "xmc/limits.h"

namespace xmc {

class CandidateRuns {
 public:
  static constexpr u32 kMost = 16;
  static constexpr u64 kLeastMemory = u64{kMost} * kRunBlockBytes;

  // `memory`: aligned for the device; buffers of the readers, or of the writer.
  void init(Device* device, const char* file, std::span<u8> memory, u32 key_words);

  // Of other keys; there must be none.
  void set_key_words(u32 words) { words_ = words; }

  bool empty() const { return count_ == 0; }
  bool full() const { return count_ == kMost; }
  u64 keys() const;
  Status add(const Word* sorted, u32 count);

  Status begin_merge();
  // Ascending; none at the end.
  Status next_keys(Word* into, u32 room, u32& count) { return merge_.next_keys(into, room, count); }
  Status clear();

 private:
  Device* device_ = nullptr;
  const char* file_ = "";
  std::span<u8> memory_;
  u32 words_ = 0;
  Run runs_[kMost];
  u32 count_ = 0;
  Word index_[2 * limits::kKeyWords] = {};  // a run that is only read from front to end needs none
  RunWriter writer_;
  RunReader readers_[kMost];
  RunMerge merge_;
};

}  // namespace xmc
