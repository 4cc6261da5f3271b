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

#include "engine/delayed/delayed_search.h"
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

DelayedSearch::Part DelayedSearch::choose_part(u32 first, bool with_expanded, double share) const {
  const auto expanded = [&](u32 p) { return with_expanded ? visited_.keys(p) - verified_[p] : 0; };
  Part part{first, first + 1};
  part.with_expanded = with_expanded;
  u64 sum = spilled_.keys(first) + expanded(first);
  for (; part.last < kPartitions; ++part.last) {
    sum += spilled_.keys(part.last) + expanded(part.last);
    if (sum > capacity_) break;
  }
  if (part.last > first + 1 || spilled_.keys(first) + expanded(first) <= capacity_) return part;
  const double candidates = static_cast<double>(spilled_.keys(first)) * share;
  part.trial = share < 1;
  part.classes =
      static_cast<u32>(divide_up(static_cast<u64>(candidates) + expanded(first), capacity_));
  if (part.classes > 1) part.classes = part.classes * 5 / 4 + 1;  // classes are not quite even
  return part;
}

// The candidates of a pass are in the table, if they fit. Of a trial in classes the first one tells
// whether the others will fit as well.
void DelayedSearch::note_distinct(const Part& part, bool fits) {
  u64 candidates = 0;
  u64 expanded = 0;
  for (u32 p = part.first; p < part.last; ++p) {
    candidates += spilled_.keys(p);
    if (part.with_expanded) expanded += visited_.keys(p) - verified_[p];
  }
  // The table holds a tenth more than its capacity.
  const u64 room = part.classes == 1 ? capacity_ / 20 * 21 : capacity_ / 8 * 7;
  const u64 distinct = search_.table.size();
  if (part.trial && part.chosen == 0 && (!fits || distinct + expanded / part.classes > room)) {
    overflowed_ = true;
    return;
  }
  XMC_CHECK(fits);
  if (candidates == 0 || capacity_ < kLeastCapacity) return;
  const double share =
      static_cast<double>(distinct) * part.classes / static_cast<double>(candidates);
  distinct_share_ = std::min(1.0, share * kPassMargin);
}

Status DelayedSearch::append_visited(const Word* state) {
  const u64 hash = hash_of(state);
  sample_.add(static_cast<u32>(hash));
  return visited_.append(state, hash, enqueue_level_);
}

void DelayedSearch::begin_run(const Part& part) {
  if (part.chosen != 0) return;
  XMC_CHECK(runs_ < kPartitions);
  run_begin_[runs_++] = queue_.keys();
}

// The table is empty and lends its memory to the readers.
Status DelayedSearch::spread_runs() {
  const u32 runs = std::exchange(runs_, 0u);
  distinct_share_ = std::min(1.0, distinct_share_ * kDetectionMargin);
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
        XMC_LET(const bool more, run_readers_[r].next(state));
        XMC_CHECK(more);
        XMC_TRY(append_visited(state));
      }
    }
  }
  return {};
}

}  // namespace xmc
