#include "engine/recent_search.h"

#include "xmc/bytes.h"

namespace xmc {

u64 RecentSearch::least_region(const Model& model) const {
  // A few batches beyond what one expansion may bring.
  const u64 states = u64{4} * Search::buffer_states_for(model);
  return StateTable::minimum_bytes(shape_of(model, true)) + states * (model.state_bytes + 8) * 2;
}

Status RecentSearch::begin_store() {
  recent_.init(search_.table, region_, shape_of(search_.model, true), queue_, scan_buffer_);
  return {};
}

Status RecentSearch::restore_store(const Manifest&) { return begin_store(); }

Status RecentSearch::take(u32 count, StopReason& stop) {
  for (u32 done = 0; done < count && stop == StopReason::none;) {
    done += recent_.insert(search_.buffer_at(done), count - done);
    if (done < count) XMC_TRY(make_room(stop));
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

Status RecentSearch::enqueue_candidates(StopReason& stop) {
  return recent_.settle([&](const Word* state, bool& go_on) {
    const Status status = enqueue(state, stop);
    go_on = stop == StopReason::none;
    return status;
  });
}

Status RecentSearch::settle(bool, StopReason& stop) {
  if (recent_.candidates() == 0) return {};
  XMC_TRY(detect());
  return enqueue_candidates(stop);
}

}  // namespace xmc
