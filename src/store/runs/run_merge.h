// RunMerge: many runs as one sorted sequence without duplicates, by a tournament of losers (Knuth,
// The Art of Computer Programming, volume 3, 5.4.1): one comparison per level for each key.
#pragma once

#include <span>

#include "store/runs/run_reader.h"
#include "xmc/go_on.h"
#include "xmc/limits.h"
#include "xmc/status.h"
#include "xmc/types.h"

namespace xmc {

class RunMerge {
 public:
  static constexpr u32 kMost = 32;

  // At least one and at most kMost readers of runs of the same width, which outlive the merge. They
  // go on from where they are.
  Status start(std::span<RunReader* const> readers);
  // The next keys, at most `room`; none only at the end.
  Status next_keys(Word* into, u32 room, u32& count);

 private:
  struct Source {
    RunReader* reader = nullptr;
    const Word* at = nullptr;
    const Word* end = nullptr;
  };
  Status refill(u32 source);
  u32 rebuild();
  template <u32 W>
  u32 replay(u32 source);
  template <u32 W>
  Status merge(Word* into, u32 room, u32& count);

  Source sources_[kMost];
  u32 count_ = 0;  // sources that have not ended
  u32 words_ = 0;
  u32 winner_ = 0;
  // Who lost the match at each inner node, node 1 being the final, and the first two words of its
  // key: most matches need no more.
  u32 losers_[kMost] = {};
  Word high_[kMost] = {};
  Word low_[kMost] = {};
  bool any_ = false;  // whether there is a last key
  Word last_[limits::kKeyWords] = {};
};

// All keys of the readers into a writer that has been started. Its codec is the caller's choice.
Status merge_runs(std::span<RunReader* const> readers, RunWriter& writer, const GoOn& go_on = {});

}  // namespace xmc
