#include "engine/recent/disk.h"

namespace xmc {

u64 DiskSearch::own_bytes(const Model& model, const SearchOptions& options) const {
  return RecentSearch::own_bytes(model, options) + KeyFile::kSlotBytes;
}

void DiskSearch::plan_own(Arena& arena) {
  RecentSearch::plan_own(arena);
  unchecked_read_buffer_ = arena.carve_array<u8>("I/O buffers", KeyFile::kSlotBytes, kPageBytes);
}

Status DiskSearch::begin_store() {
  overflowed_ = false;
  return RecentSearch::begin_store();
}

Status DiskSearch::make_room(StopReason&) {
  overflowed_ = true;
  const PhaseClock::Scope scope(search_.clock, Phase::partitioning);
  if (signature_.on()) {
    recent_.forget();
    return {};
  }
  return recent_.spill([&](const Word* state, bool&) { return unchecked_.append(state, 0); });
}

Status DiskSearch::settle(bool level_end, StopReason& stop) {
  if (!overflowed_ || unchecked_.keys() == 0) return RecentSearch::settle(level_end, stop);
  if (!signature_.on()) XMC_TRY(settle_table(stop));
  return stop == StopReason::none ? filter_unchecked(stop) : Status();
}

Status DiskSearch::filter_unchecked(StopReason& stop) {
  const PhaseClock::Scope scope(search_.clock, Phase::insertion);
  KeyReader candidates;
  candidates.start(unchecked_, unchecked_read_buffer_);
  Word state[limits::kStateWords];
  recent_.read_again();
  for (bool more = true; more && stop == StopReason::none;) {
    XMC_LET(const bool next, candidates.next(state));
    more = next;
    if (more && recent_.insert_again(state)) continue;
    XMC_TRY(settle_table(stop));
    if (!more || stop != StopReason::none) break;
    recent_.forget();
    static_cast<void>(recent_.insert_again(state));
  }
  if (stop != StopReason::none) return {};
  overflowed_ = false;
  return recent_.clear_unchecked();
}

}  // namespace xmc
