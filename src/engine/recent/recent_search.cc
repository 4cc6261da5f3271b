#include "engine/recent/recent_search.h"

#include <algorithm>

#include "xmc/bytes.h"

namespace xmc {

bool RecentSearch::keeps_unchecked(const SearchOptions& options) const {
  return options.signature_bits != 0;
}

u64 RecentSearch::own_bytes(const Model&, const SearchOptions& options) const {
  return keeps_unchecked(options) ? KeyFile::kSlotBytes + kPageBytes : 0;
}

void RecentSearch::plan_own(Arena& arena) {
  if (!keeps_unchecked(search_.options)) return;
  unchecked_buffer_ = arena.carve_array<u8>("I/O buffers", KeyFile::kSlotBytes, kPageBytes);
}

u64 RecentSearch::least_region(const Model& model, const SearchOptions& options) const {
  // A few batches beyond what one expansion may bring.
  const u64 states = u64{4} * Search::buffer_states_for(model);
  const u64 bytes = std::max(model.state_bytes, Signature(options.signature_bits).bytes());
  return RecentStates::region_for(StateTable::minimum_bytes(shape_of(model, true)) +
                                  states * (bytes + 8) * 2);
}

Status RecentSearch::begin_store() {
  RecentStates::Setup setup;
  setup.table = &search_.table;
  setup.chained = search_.options.chained;
  setup.region = region_;
  setup.shape = shape_of(search_.model, true);
  setup.signature = signature_;
  setup.file = &queue_;
  setup.buffer = scan_buffer_;
  setup.go_on = go_on();
  if (keeps_unchecked(search_.options)) {
    XMC_LET(Device* const device, open_file(kUncheckedFile, Folder::Open::create));
    unchecked_.start(device, kUncheckedFile, Purpose::candidates, search_.model.state_words,
                     unchecked_buffer_);
    setup.unchecked = &unchecked_;
  }
  recent_.init(setup);
  return {};
}

// A checkpoint follows settle(), which leaves nothing unchecked.
Status RecentSearch::restore_store(const Manifest&) {
  XMC_TRY(begin_store());
  return recent_.recall();
}

Status RecentSearch::take(u32 count, StopReason& stop) {
  for (u32 done = 0; done < count && stop == StopReason::none;) {
    XMC_LET(const u32 taken, recent_.insert(search_.buffer_at(done), count - done));
    done += taken;
    if (done < count && !recent_.drop_older()) XMC_TRY(make_room(stop));
  }
  return {};
}

Status RecentSearch::make_room(StopReason& stop) {
  XMC_TRY(settle(false, stop));
  recent_.forget();
  return {};
}

Status RecentSearch::detect() {
  u64 hits = 0;
  return recent_.scan(0, recent_.old_slots(), hits);
}

Status RecentSearch::settle_table(StopReason& stop) {
  if (recent_.candidates() == 0) return {};
  const PhaseClock::Scope scope(search_.clock, Phase::detection);
  XMC_TRY(detect());
  search_.clock.switch_to(Phase::queueing);
  return recent_.settle([&](const Word* state, bool& go_on) {
    const Status status = enqueue(state, stop);
    go_on = stop == StopReason::none;
    return status;
  });
}

Status RecentSearch::settle(bool, StopReason& stop) {
  XMC_TRY(settle_table(stop));
  return signature_.on() && stop == StopReason::none ? recent_.clear_unchecked() : Status();
}

}  // namespace xmc
