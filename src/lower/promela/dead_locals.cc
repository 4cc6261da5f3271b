// Local variables that are dead at a place have one value there, their rest value: a step to the
// place sets them, and a store to what nobody reads behind it is left out.
#include "ir/layout.h"
#include "lower/promela/lowering.h"
#include "xmc/check.h"

namespace xmc::promela_lower {

namespace {

constexpr u64 kShareOfList = 16;  // of the memory

}  // namespace

void Lowering::rest(u32 leaf) {
  const u32 top = code_.top();
  write_leaf({leaf, kNone}, known(layout_.rest_value(leaf)));
  code_.give_back(top);
  ++resets_;
}

void Lowering::note_write(const Reference& r, u32 leaf) {
  if (live_ == nullptr) return;
  for_elements(s_, r, leaf, 0, [&](u32 cell) { written_[cell] = attempts_; });
}

void Lowering::note_start(u32 leaf) {
  if (live_ != nullptr) started_[leaf] = creations_;
}

// A store to a local variable that nobody reads behind the statement.
bool Lowering::is_useless(const Reference& r) const {
  return live_ != nullptr && behind_ != kNone && r.index_count == 0 &&
         live_->is_dead(behind_, r.leaf);
}

// What was dead before and is not written has its rest value already.
void Lowering::rest_dead(u32 q, PlaceId from, PlaceId to) {
  if (live_ == nullptr) return;
  const u32 proctype = slots_.proctype_of(to);
  const SlotType& type = slots_.type(slots_.find_type(q, proctype));
  for (u32 i = 0; i < s_.proctypes[proctype].leaf_count; ++i) {
    if (!live_->is_dead(to, i)) continue;
    const u32 cell = slots_.cell(type, i);
    if (written_[cell] == attempts_ || !live_->is_dead(from, i)) rest(cell);
  }
}

// Of the process that is being created: all its cells were 0.
void Lowering::rest_at_start() {
  if (live_ == nullptr) return;
  const SlotType& type = slots_.type(frame_.type);
  const promela::Proctype& proctype = s_.proctypes[frame_.proctype];
  for (u32 i = 0; i < proctype.leaf_count; ++i) {
    if (!live_->is_dead(proctype.start, i)) continue;
    const u32 cell = slots_.cell(type, i);
    if (started_[cell] == creations_ || layout_.rest_value(cell) != 0) rest(cell);
  }
}

// use(slot, code of the place, cell) for each one that is dead there and can have another value
// elsewhere.
template <class Use>
void Lowering::each_dead(const Use& use) const {
  for (u32 q = 0; q < slots_.count(); ++q) {
    const Slot& slot = slots_.slot(q);
    for (u32 i = 0; i < slot.type_count; ++i) {
      const SlotType& type = slots_.type(slot.first_type + i);
      const promela::Proctype& proctype = s_.proctypes[type.proctype];
      for (u32 k = 0; k < proctype.place_count; ++k) {
        const PlaceId place = proctype.first_place + k;
        const u32 code = slots_.code(q, place);
        for (u32 leaf = 0; leaf < proctype.leaf_count && code != 0; ++leaf) {
          if (!live_->is_dead(place, leaf)) continue;
          const u32 cell = slots_.cell(type, leaf);
          if (!layout_.is_constant(cell)) use(q, code, cell);
        }
      }
    }
  }
}

bool Lowering::list_dead(ir::DeadVariables& out) {
  out = {};
  const u32 slots = slots_.count();
  const auto groups = arena_.carve_array<ir::DeadPlaces>("dead variables", slots);
  u32 ranges = 0;
  for (u32 q = 0; q < slots; ++q) {
    groups[q] = {layout_.cell(slots_.slot(q).place), ranges, slots_.slot(q).codes};
    ranges += slots_.slot(q).codes;
  }
  u64 count = 0;
  each_dead([&](u32, u32, u32) { ++count; });
  const u64 bytes = count * sizeof(ir::DeadCell) + u64{ranges} * sizeof(ir::Range);
  if (bytes > request_.memory / kShareOfList || count > kNone - 1) return false;
  const auto by_location = arena_.carve_array<ir::Range>("dead variables", ranges);
  const auto cells = arena_.carve_array<ir::DeadCell>("dead variables", count);
  // By leaf, which is not asked for as one that is written any more.
  for (u32& seen : written_) seen = 0;
  u32 next = 0;
  each_dead([&](u32 q, u32 code, u32 leaf) {
    ir::Range& range = by_location[groups[q].first + code];
    if (range.count++ == 0) range.first = next;
    cells[next++] = {layout_.cell(leaf), layout_.rest_value(leaf)};
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
