#include "engine/recent/recent_visited.h"

#include <algorithm>

#include "engine/search/file_names.h"
#include "xmc/bytes.h"

namespace xmc {

bool RecentVisited::keeps_unchecked(const SearchOptions& options) const {
  return options.signature_bits != 0;
}

u64 RecentVisited::own_bytes(const Model&, const SearchOptions& options) const {
  return keeps_unchecked(options) ? KeyFile::kSlotBytes + kPageBytes : 0;
}

void RecentVisited::plan(Arena& arena) {
  if (!keeps_unchecked(search().options)) return;
  unchecked_buffer_ = arena.carve_array<u8>("I/O buffers", KeyFile::kSlotBytes, kPageBytes);
}

u64 RecentVisited::least_region(const Model& model, const SearchOptions& options) const {
  // A few batches beyond what one expansion may bring.
  const u64 states = u64{4} * Search::buffer_states_for(model);
  const u64 bytes = std::max(model.state_bytes, Signature(options.signature_bits).bytes());
  return RecentStates::region_for(StateTable::minimum_bytes(Frontier::shape_of(model, true)) +
                                  states * (bytes + 8) * 2);
}

Status RecentVisited::begin() {
  RecentStates::Setup setup;
  setup.table = &table_;
  setup.chained = search().options.chained;
  setup.region = region();
  setup.shape = frontier_->shape(true);
  setup.signature = frontier_->signature;
  setup.file = &queue();
  setup.buffer = frontier_->memory.scan_buffer;
  setup.go_on = frontier_->go_on();
  if (keeps_unchecked(search().options)) {
    XMC_LET(Device* const device, frontier_->files.open(kUncheckedFile, Folder::Open::create));
    unchecked_.start(device, kUncheckedFile, Purpose::candidates, search().model.state_words,
                     unchecked_buffer_);
    setup.unchecked = &unchecked_;
  }
  recent_.init(setup);
  return {};
}

// A checkpoint follows settle(), which leaves nothing unchecked.
Status RecentVisited::restore(Lines&) { return begin_from_queue(); }

Status RecentVisited::begin_from_queue() {
  XMC_TRY(begin());
  return recent_.recall();
}

Status RecentVisited::take(u32 count) {
  for (u32 done = 0; done < count;) {
    XMC_LET(const u32 taken, recent_.insert(search().buffer_at(done), count - done));
    done += taken;
    if (done < count && !recent_.drop_older()) XMC_TRY(make_room());
  }
  return {};
}

Status RecentVisited::make_room() {
  XMC_TRY(settle(false));
  recent_.forget();
  return {};
}

Status RecentVisited::detect() {
  u64 hits = 0;
  return recent_.scan(0, recent_.old_slots(), hits);
}

Status RecentVisited::settle_table() {
  if (recent_.candidates() == 0) return {};
  const PhaseClock::Scope scope(search().clock, Phase::detection);
  XMC_TRY(detect());
  search().clock.switch_to(Phase::queueing);
  return recent_.settle([&](const Word* state) { return frontier_->enqueue(state); });
}

Status RecentVisited::settle(bool) {
  XMC_TRY(settle_table());
  return with_signatures() ? recent_.clear_unchecked() : Status();
}

}  // namespace xmc
