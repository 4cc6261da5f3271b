#include "engine/recent/disk.h"

namespace xmc {

u64 DiskVisited::own_bytes(const Model& model, const SearchOptions& options) const {
  return RecentVisited::own_bytes(model, options) + KeyFile::kSlotBytes;
}

void DiskVisited::plan(Arena& arena) {
  RecentVisited::plan(arena);
  unchecked_read_buffer_ = arena.carve_array<u8>("I/O buffers", KeyFile::kSlotBytes, kPageBytes);
}

Status DiskVisited::begin() {
  overflowed_ = false;
  return RecentVisited::begin();
}

Status DiskVisited::make_room() {
  overflowed_ = true;
  const PhaseClock::Scope scope(search().clock, Phase::partitioning);
  if (with_signatures()) {
    recent_.forget();
    return {};
  }
  return recent_.spill([&](const Word* state) { return unchecked_.append(state, 0); });
}

Status DiskVisited::settle(bool level_end) {
  if (!overflowed_ || unchecked_.keys() == 0) return RecentVisited::settle(level_end);
  if (!with_signatures()) XMC_TRY(settle_table());
  return filter_unchecked();
}

Status DiskVisited::filter_unchecked() {
  const PhaseClock::Scope scope(search().clock, Phase::insertion);
  KeyReader candidates;
  candidates.start(unchecked_, unchecked_read_buffer_);
  Word state[limits::kStateWords];
  recent_.read_again();
  for (bool more = true; more;) {
    XMC_LET(more, candidates.next(state));
    if (more && recent_.insert_again(state)) continue;
    XMC_TRY(settle_table());
    if (!more) break;
    recent_.forget();
    static_cast<void>(recent_.insert_again(state));
  }
  overflowed_ = false;
  return recent_.clear_unchecked();
}

}  // namespace xmc
