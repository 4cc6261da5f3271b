// Detections in several passes: which states a pass takes, and what becomes of those that it finds.
//
// A pass takes as many partitions as the table can hold, or classes of one by a hash, for each of
// which T is read. T has a state as often as the table forgot it; so where a partition of T is too
// large, its classes are as many as the share asks for that was left without repeats before, with a
// margin. If that turns out too low, the pass begins again, in classes for all of T
// (elevator_planning.2 in 12 MiB: one class instead of four, 23 to 14.5 s). More partitions in a
// pass, by the same share, were slower: the table is in the cache less (telephony.4 14.1 to 14.8
// s).
//
// What several passes have enqueued goes to the partitions when they are through, from all passes
// in turn. A pass makes states of a few partitions only: appended at once they would fill stripes
// in which the blocks of all others are empty (telephony.4 in 11 MiB: 157 bytes for a state of 11,
// and 1.2 million reads of empty blocks).
#include <algorithm>
#include <utility>

#include "engine/delayed/delayed_visited.h"
#include "xmc/check.h"

namespace xmc {

namespace {

constexpr u64 kRoundKeys = 64;  // of the longest run that are taken at a time

// The share of distinct candidates is about the same in all passes of a detection, a little less in
// small tables; from one detection to the next it changes.
constexpr double kPassMargin = 1.03;
constexpr double kDetectionMargin = 1.2;
constexpr u64 kLeastCapacity = 1024;

}  // namespace

DelayedVisited::Pass DelayedVisited::choose_pass(u32 first, bool with_expanded,
                                                 double share) const {
  const auto expanded = [&](u32 p) {
    return with_expanded ? visited_.keys(p) - verified_.keys[p] : 0;
  };
  Pass pass{first, first + 1};
  pass.with_expanded = with_expanded;
  u64 sum = spilled_.keys(first) + expanded(first);
  for (; pass.last < kPartitions; ++pass.last) {
    sum += spilled_.keys(pass.last) + expanded(pass.last);
    if (sum > memory_.capacity) break;
  }
  if (pass.last > first + 1 || spilled_.keys(first) + expanded(first) <= memory_.capacity)
    return pass;
  const double candidates = static_cast<double>(spilled_.keys(first)) * share;
  pass.trial = share < 1;
  pass.classes =
      static_cast<u32>(divide_up(static_cast<u64>(candidates) + expanded(first), memory_.capacity));
  if (pass.classes > 1) pass.classes = pass.classes * 5 / 4 + 1;  // classes are not quite even
  return pass;
}

// The candidates of a pass are in the table, if they fit. Of a trial in classes the first one tells
// whether the others will fit as well.
void DelayedVisited::note_distinct(const Pass& pass, bool fits) {
  u64 candidates = 0;
  u64 expanded = 0;
  for (u32 p = pass.first; p < pass.last; ++p) {
    candidates += spilled_.keys(p);
    if (pass.with_expanded) expanded += visited_.keys(p) - verified_.keys[p];
  }
  // The table holds a tenth more than its capacity.
  const u64 room = pass.classes == 1 ? memory_.capacity / 20 * 21 : memory_.capacity / 8 * 7;
  const u64 distinct = table_.size();
  if (pass.trial && pass.chosen == 0 && (!fits || distinct + expanded / pass.classes > room)) {
    overflowed_ = true;
    return;
  }
  XMC_CHECK(fits);
  if (candidates == 0 || memory_.capacity < kLeastCapacity) return;
  const double share =
      static_cast<double>(distinct) * pass.classes / static_cast<double>(candidates);
  distinct_share_ = std::min(1.0, share * kPassMargin);
}

Status DelayedVisited::append_visited(const Word* state) {
  const u64 hash = hash_of(state);
  sample_.add_visited(static_cast<u32>(hash));
  return visited_.append(state, hash, at().enqueue_level);
}

void DelayedVisited::begin_run(const Pass& pass) {
  if (pass.chosen != 0) return;
  XMC_CHECK(runs_.count < kPartitions);
  runs_.begin[runs_.count++] = queue().keys();
}

// The table is empty and lends its memory to the readers.
Status DelayedVisited::spread_runs() {
  const u32 runs = std::exchange(runs_.count, 0u);
  distinct_share_ = std::min(1.0, distinct_share_ * kDetectionMargin);
  const PhaseClock::Scope scope(search().clock, Phase::queueing);
  runs_.begin[runs] = queue().keys();
  const u64 lent = memory_.table.size() / KeyFile::kSlotBytes;
  const u32 most = static_cast<u32>(std::min<u64>(1 + lent, kPartitions));
  for (u32 done = 0; done < runs; done += most) {
    XMC_TRY(spread_runs(done, std::min(done + most, runs)));
  }
  return {};
}

Status DelayedVisited::spread_runs(u32 first, u32 last) {
  u64 longest = 0;
  for (u32 r = first; r < last; ++r) {
    const std::size_t lent = std::size_t{r - first} * KeyFile::kSlotBytes;
    runs_.readers[r].start(queue(), r == first ? frontier_->memory.scan_buffer
                                               : memory_.table.subspan(lent - KeyFile::kSlotBytes,
                                                                       KeyFile::kSlotBytes));
    const u64 keys = runs_.begin[r + 1] - runs_.begin[r];
    longest = std::max(longest, keys);
    if (keys > 0) XMC_TRY(runs_.readers[r].seek_key(runs_.begin[r]));
  }
  const u64 rounds = divide_up(longest, kRoundKeys);
  Word state[limits::kStateWords];
  for (u64 round = 0; round < rounds; ++round) {
    for (u32 r = first; r < last; ++r) {
      const u64 keys = runs_.begin[r + 1] - runs_.begin[r];
      for (u64 i = keys * round / rounds; i < keys * (round + 1) / rounds; ++i) {
        XMC_LET(const bool more, runs_.readers[r].next(state));
        XMC_CHECK(more);
        XMC_TRY(append_visited(state));
      }
    }
  }
  return {};
}

}  // namespace xmc
