// What several passes have enqueued goes to the partitions when they are through, from all passes
// in turn. A pass makes states of a few partitions only: appended at once they would fill stripes
// in which the blocks of all others are empty (telephony.4 in 11 MiB: 157 bytes for a state of 11,
// and 1.2 million reads of empty blocks).
#include <algorithm>
#include <utility>

#include "engine/delayed_search.h"
#include "store/hash_class.h"
#include "xmc/check.h"

namespace xmc {

namespace {

constexpr u64 kRoundKeys = 64;  // of the longest run that are taken at a time

}  // namespace

Status DelayedSearch::append_visited(const Word* state) {
  const u64 hash = hash_of(state);
  const u32 partition = class_of(hash, kPartitions);
  XMC_TRY(visited_.append(partition, state, enqueue_level_));
  sample_.add(static_cast<u32>(hash));
  return prints_.append(visited_, partition, static_cast<u32>(hash));
}

void DelayedSearch::begin_run(const Part& part) {
  if (part.chosen != 0) return;
  XMC_CHECK(runs_ < kPartitions);
  run_begin_[runs_++] = queue_.keys();
}

// The table is empty and lends its memory to the readers.
Status DelayedSearch::spread_runs() {
  const u32 runs = std::exchange(runs_, 0u);
  const PhaseClock::Scope scope(search_.clock, Phase::queueing);
  run_begin_[runs] = queue_.keys();
  const u64 lent = table_region_.size() / KeyFile::kSlotBytes;
  const u32 most = static_cast<u32>(std::min<u64>(1 + lent, kPartitions));
  for (u32 done = 0; done < runs; done += most) {
    XMC_TRY(spread_runs(done, std::min(done + most, runs)));
  }
  return {};
}

Status DelayedSearch::spread_runs(u32 first, u32 last) {
  u64 longest = 0;
  for (u32 r = first; r < last; ++r) {
    const std::size_t lent = std::size_t{r - first} * KeyFile::kSlotBytes;
    run_readers_[r].start(queue_, r == first ? scan_buffer_
                                             : table_region_.subspan(lent - KeyFile::kSlotBytes,
                                                                     KeyFile::kSlotBytes));
    const u64 keys = run_begin_[r + 1] - run_begin_[r];
    longest = std::max(longest, keys);
    if (keys > 0) XMC_TRY(run_readers_[r].seek_key(run_begin_[r]));
  }
  const u64 rounds = divide_up(longest, kRoundKeys);
  Word state[limits::kStateWords];
  for (u64 round = 0; round < rounds; ++round) {
    for (u32 r = first; r < last; ++r) {
      const u64 keys = run_begin_[r + 1] - run_begin_[r];
      for (u64 i = keys * round / rounds; i < keys * (round + 1) / rounds; ++i) {
        const Result<bool> more = run_readers_[r].next(state);
        if (!more.ok()) return more.status();
        XMC_CHECK(more.value());
        XMC_TRY(append_visited(state));
      }
    }
  }
  return {};
}

}  // namespace xmc
