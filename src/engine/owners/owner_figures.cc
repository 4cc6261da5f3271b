#include "engine/owners/owner_figures.h"

#include <algorithm>

#include "xmc/limits.h"

namespace xmc {

namespace {

constexpr u64 SearchStats::*kSummed[] = {
    &SearchStats::states,      &SearchStats::transitions,        &SearchStats::deadlocks,
    &SearchStats::accepting,   &SearchStats::expansions,         &SearchStats::error_steps,
    &SearchStats::bad_states,  &SearchStats::ram_used,           &SearchStats::repeats,
    &SearchStats::detections,  &SearchStats::partial_detections, &SearchStats::payload_bytes,
    &SearchStats::sent_states, &SearchStats::sent_bytes,         &SearchStats::waited_us,
    &SearchStats::edges,       &SearchStats::edge_bytes,
};
constexpr u32 kSummedCount = sizeof(kSummed) / sizeof(kSummed[0]);
constexpr u32 kValues = kSummedCount + 1;  // and the largest share
static_assert(kValues <= Peers::kMostValues);

}  // namespace

void add_figures(SearchStats& sum, const SearchStats& other) {
  for (u64 SearchStats::*const figure : kSummed) {
    if (other.*figure == kNoFigure) continue;
    sum.*figure = counted_sum(sum.*figure == kNoFigure ? 0 : sum.*figure, other.*figure);
  }
  if (other.most_owned == kNoFigure) return;
  sum.most_owned =
      sum.most_owned == kNoFigure ? other.most_owned : std::max(sum.most_owned, other.most_owned);
}

Status total_figures(Peers& peers, SearchStats& stats) {
  stats.most_owned = stats.states;
  u64 mine[kValues];
  for (u32 i = 0; i < kSummedCount; ++i) mine[i] = stats.*kSummed[i];
  mine[kSummedCount] = stats.most_owned;
  u64 all[limits::kOwners * kValues];
  XMC_TRY(peers.gather(mine, {all, std::size_t{kValues} * peers.count()}));
  if (peers.me() != 0) {
    for (u64 SearchStats::*const figure : kSummed) {
      if (stats.*figure != kNoFigure) stats.*figure = 0;
    }
    return {};
  }
  for (u32 owner = 1; owner < peers.count(); ++owner) {
    const u64* const values = all + std::size_t{owner} * kValues;
    SearchStats other;
    for (u32 i = 0; i < kSummedCount; ++i) other.*kSummed[i] = values[i];
    other.most_owned = values[kSummedCount];
    add_figures(stats, other);
  }
  return {};
}

Status tell_share(Peers& peers, const OwnerShare& mine, std::span<OwnerShare> shares) {
  constexpr u32 kFigures = 5;
  const u64 values[kFigures] = {mine.states, mine.steps, mine.sent_states, mine.sent_bytes,
                                mine.waited_us};
  u64 all[limits::kOwners * kFigures];
  XMC_TRY(peers.gather(values, {all, std::size_t{kFigures} * peers.count()}));
  if (peers.me() != 0) return {};
  for (u32 i = 0; i < std::min<std::size_t>(shares.size(), peers.count()); ++i) {
    const u64* const each = all + std::size_t{i} * kFigures;
    shares[i] = {each[0], each[1], each[2], each[3], each[4]};
  }
  return {};
}

}  // namespace xmc
