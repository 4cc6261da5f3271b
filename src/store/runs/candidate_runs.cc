#include "store/runs/candidate_runs.h"

#include <algorithm>

#include "store/files/passing_file.h"
#include "xmc/bytes.h"
#include "xmc/check.h"

namespace xmc {

void CandidateRuns::init(Device* device, const char* file, std::span<u8> memory, u32 key_words) {
  XMC_CHECK(memory.size() >= kLeastMemory);
  device_ = device;
  file_ = file;
  memory_ = memory;
  words_ = key_words;
  count_ = 0;
}

u64 CandidateRuns::keys() const {
  u64 sum = 0;
  for (u32 i = 0; i < count_; ++i) sum += runs_[i].keys;
  return sum;
}

Status CandidateRuns::add(const Word* sorted, u32 count) {
  XMC_CHECK(count_ < kMost);
  const std::size_t bytes = static_cast<std::size_t>(round_down(memory_.size(), kRunBlockBytes));
  writer_.start(device_, file_, words_, choose_codec(sorted, count, words_), memory_.first(bytes),
                {index_, 2 * words_}, Purpose::candidates);
  XMC_TRY(writer_.append(sorted, count));
  return writer_.finish(runs_[count_++]);
}

Status CandidateRuns::begin_merge() {
  const u64 share = memory_.size() / std::max(count_, 1u);
  const std::size_t bytes = static_cast<std::size_t>(round_down(share, kRunBlockBytes));
  RunReader* sources[kMost];
  for (u32 i = 0; i < count_; ++i) {
    // The index was another run's since.
    runs_[i].index = RunIndex({index_, 2 * words_}, words_);
    readers_[i].start(runs_[i], memory_.subspan(i * bytes, bytes));
    sources[i] = &readers_[i];
  }
  return merge_.start({sources, count_});
}

Status CandidateRuns::clear() {
  count_ = 0;
  return forget_contents(*device_);
}

}  // namespace xmc
