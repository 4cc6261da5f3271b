#include "engine/disk.h"

namespace xmc {

u64 DiskSearch::own_bytes(const Model&) const { return 2 * KeyFile::kSlotBytes + 4096; }

void DiskSearch::plan_own(Arena& arena) {
  unchecked_buffer_ = arena.carve_array<u8>("I/O buffers", KeyFile::kSlotBytes, 4096);
  unchecked_read_buffer_ = arena.carve_array<u8>("I/O buffers", KeyFile::kSlotBytes, 4096);
}

Status DiskSearch::begin_store() {
  const Result<Device*> device = open_file(kUncheckedFile, Folder::Open::create);
  if (!device.ok()) return device.status();
  unchecked_.start(device.value(), kUncheckedFile, Purpose::candidates, search_.model.state_words,
                   unchecked_buffer_);
  return RecentSearch::begin_store();
}

// A checkpoint follows settle(), which leaves Q_unck empty.
Status DiskSearch::restore_store(const Manifest&) { return DiskSearch::begin_store(); }

Status DiskSearch::make_room(StopReason&) {
  return recent_.spill([&](const Word* state, bool&) { return unchecked_.append(state, 0); });
}

Status DiskSearch::settle(bool level_end, StopReason& stop) {
  XMC_TRY(RecentSearch::settle(level_end, stop));
  if (unchecked_.keys() == 0 || stop != StopReason::none) return {};
  return filter_unchecked(stop);
}

Status DiskSearch::filter_unchecked(StopReason& stop) {
  KeyReader candidates;
  candidates.start(unchecked_, unchecked_read_buffer_);
  Word state[limits::kStateWords];
  recent_.forget();
  for (bool more = true; more && stop == StopReason::none;) {
    const Result<bool> next = candidates.next(state);
    if (!next.ok()) return next.status();
    more = next.value();
    if (more && recent_.insert(state, 1) == 1) continue;
    XMC_TRY(RecentSearch::settle(false, stop));
    if (!more) break;
    recent_.forget();
    static_cast<void>(recent_.insert(state, 1));
  }
  return stop == StopReason::none ? unchecked_.clear() : Status();
}

}  // namespace xmc
