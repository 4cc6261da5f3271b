#include "lower/promela/facts.h"

#include "lower/promela/facts/values.h"
#include "xmc/check.h"

namespace xmc::promela {

using ir::Interval;

namespace {

View view_of(const Known& known, const Instance* one, u32 slot, PlaceId place) {
  View out;
  out.slot = slot;
  if (one == nullptr) return out;
  out.type = one->type;
  const u32 at = place - known.s.proctypes[one->type].first_place;
  out.alive = {one->alive[2 * at], one->alive[2 * at + 1]};
  const u32 width = known.width(one->type);
  if (!one->rows.empty()) out.row = one->rows.subspan(u64{at} * width, width);
  return out;
}

}  // namespace

u32 Facts::type_at(PlaceId place) const {
  for (u32 i = 0; i < known_->type_count; ++i) {
    const Proctype& type = system_->proctypes[i];
    if (place - type.first_place < type.place_count) return i;
  }
  XMC_CHECK(false);
  return kNone;
}

// Null where no process can be.
const Instance* Facts::instance_at(u32 slot, PlaceId place) const {
  if (place == kNone || slot == kNone) return nullptr;
  const u32 type = type_at(place);
  const Instance* one = known_->find(slot, type);
  if (one == nullptr || one->reached.empty()) return nullptr;
  return one->reached[place - system_->proctypes[type].first_place] != 0 ? one : nullptr;
}

bool Facts::can_be_at(u32 slot, PlaceId place) const { return instance_at(slot, place) != nullptr; }

bool Facts::can_die(u32 slot, u32 proctype) const {
  const Instance* one = known_->find(slot, proctype);
  return one != nullptr && known_->life(*one).can_die;
}

Interval Facts::run_slots(u32 slot, PlaceId place) const {
  const Instance* one = instance_at(slot, place);
  if (one == nullptr) return {};
  const Interval alive = view_of(*known_, one, slot, place).alive;
  return ir::meet(alive, {0, static_cast<i32>(slots_) - 1});
}

Interval Facts::local(u32 slot, u32 proctype, u32 leaf) const {
  const Instance* one = known_->find(slot, proctype);
  if (one == nullptr) return {};
  return known_->life(*one).values[known_->cells.locals(proctype).cell_of[leaf]];
}

Interval Facts::local_at(u32 slot, PlaceId place, u32 leaf) const {
  const Instance* one = instance_at(slot, place);
  if (one == nullptr) return {};
  const View view = view_of(*known_, one, slot, place);
  if (view.row.empty()) return local(slot, one->type, leaf);
  return view.row[known_->cells.locals(one->type).cell_of[leaf]];
}

Interval Facts::global(u32 leaf) const {
  return known_->global(known_->cells.globals().cell_of[leaf]);
}

Interval Facts::value(u32 slot, PlaceId place, ExprId id) const {
  const Instance* one = instance_at(slot, place);
  if (one == nullptr && place != kNone) return {};
  return Values(*known_, view_of(*known_, one, slot, place), nullptr).value(id);
}

Numbers Facts::channel(u32 slot, PlaceId place, ExprId id) const {
  const Instance* one = instance_at(slot, place);
  Numbers out;
  if (one == nullptr && place != kNone) return out;
  Values values(*known_, view_of(*known_, one, slot, place), nullptr);
  const Numbers found = values.channels(id);
  const Interval v = values.value(id);
  for (u32 n = found.next(0); n != kNone; n = found.next(n + 1)) {
    out.add(n <= known_->channels ? n : 0);
  }
  if (!v.empty() && !v.inside(0, 255)) out.add(u32{0});
  return out;
}

}  // namespace xmc::promela
