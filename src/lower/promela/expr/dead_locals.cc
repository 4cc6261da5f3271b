#include "lower/promela/expr/dead_locals.h"

#include "lower/promela/expr/references.h"
#include "xmc/scratch.h"

namespace xmc::promela_lower {

namespace {

constexpr u64 kShareOfList = 16;  // of the memory

}  // namespace

DeadLocals::DeadLocals(const Liveness* live, u32 leaves, Arena& arena) : live_(live) {
  if (live == nullptr) return;
  written_ = scratch_array<u32>(arena, "liveness", leaves);
  started_ = scratch_array<u32>(arena, "liveness", leaves);
}

bool DeadLocals::is_useless(const Reference& r, PlaceId behind) const {
  return live_ != nullptr && behind != kNone && r.index_count == 0 &&
         live_->is_dead(behind, r.leaf);
}

void DeadLocals::rest_leaf(Writer& w, u32 leaf) {
  const u32 top = w.code.top();
  write_leaf(w, {leaf, kNone}, known(w.layout.rest_value(leaf)));
  w.code.give_back(top);
  ++resets_;
}

// What was dead before and is not written has its rest value already.
void DeadLocals::rest(Writer& w, u32 q, PlaceId from, PlaceId to) {
  if (live_ == nullptr) return;
  const u32 proctype = w.slots.proctype_of(to);
  const SlotType& type = w.slots.type(w.slots.find_type(q, proctype));
  for (u32 i = 0; i < w.s.proctypes[proctype].leaf_count; ++i) {
    if (!live_->is_dead(to, i)) continue;
    const u32 cell = w.slots.cell(type, i);
    if (written_[cell] == attempts_ || !live_->is_dead(from, i)) rest_leaf(w, cell);
  }
}

void DeadLocals::rest_at_start(Writer& w, const Scope& scope) {
  if (live_ == nullptr) return;
  const SlotType& type = w.slots.type(scope.type);
  const promela::Proctype& proctype = w.s.proctypes[scope.proctype];
  for (u32 i = 0; i < proctype.leaf_count; ++i) {
    if (!live_->is_dead(proctype.start, i)) continue;
    const u32 cell = w.slots.cell(type, i);
    if (started_[cell] == creations_ || w.layout.rest_value(cell) != 0) rest_leaf(w, cell);
  }
}

// use(slot, code of the place, cell) for each one that is dead there and can have another value
// elsewhere.
template <class Use>
void DeadLocals::each(const Layout& layout, const Use& use) const {
  const Slots& slots = layout.slots;
  for (u32 q = 0; q < slots.count(); ++q) {
    const Slot& slot = slots.slot(q);
    for (u32 i = 0; i < slot.type_count; ++i) {
      const SlotType& type = slots.type(slot.first_type + i);
      const promela::Proctype& proctype = layout.s.proctypes[type.proctype];
      for (u32 k = 0; k < proctype.place_count; ++k) {
        const PlaceId place = proctype.first_place + k;
        const u32 code = slots.code(q, place);
        for (u32 leaf = 0; leaf < proctype.leaf_count && code != 0; ++leaf) {
          if (!live_->is_dead(place, leaf)) continue;
          const u32 cell = slots.cell(type, leaf);
          if (!layout.is_constant(cell)) use(q, code, cell);
        }
      }
    }
  }
}

bool DeadLocals::list(const Layout& layout, u64 memory, Arena& arena, ir::DeadVariables& out) {
  out = {};
  const u32 slots = layout.slots.count();
  const auto groups = arena.carve_array<ir::DeadPlaces>("dead variables", slots);
  u32 ranges = 0;
  for (u32 q = 0; q < slots; ++q) {
    const Slot& slot = layout.slots.slot(q);
    groups[q] = {layout.cell(slot.place), ranges, slot.codes};
    ranges += slot.codes;
  }
  u64 count = 0;
  each(layout, [&](u32, u32, u32) { ++count; });
  const u64 bytes = count * sizeof(ir::DeadCell) + u64{ranges} * sizeof(ir::Range);
  if (bytes > memory / kShareOfList || count > kNone - 1) return false;
  const auto by_location = arena.carve_array<ir::Range>("dead variables", ranges);
  const auto cells = arena.carve_array<ir::DeadCell>("dead variables", count);
  // By leaf, which is not asked for as one that is written any more.
  for (u32& seen : written_) seen = 0;
  u32 next = 0;
  each(layout, [&](u32 q, u32 code, u32 leaf) {
    ir::Range& range = by_location[groups[q].first + code];
    if (range.count++ == 0) range.first = next;
    cells[next++] = {layout.cell(leaf), layout.rest_value(leaf)};
    if (written_[leaf] == 0) ++out.cell_count;
    written_[leaf] = 1;
  });
  out.cells = cells;
  out.places = groups;
  out.by_location = by_location;
  out.reset_count = resets_;
  out.dropped_count = dropped_;
  return true;
}

}  // namespace xmc::promela_lower
