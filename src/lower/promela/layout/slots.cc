#include "lower/promela/layout/slots.h"

#include <bit>

#include "xmc/check.h"
#include "xmc/limits.h"
#include "xmc/scratch.h"

namespace xmc::promela_lower {

using ir::Interval;
using promela::ChannelForm;
using promela::PlaceId;
using promela::Proctype;

namespace {

constexpr Interval kZero{0, 0};

u32 width(Interval v) {
  return static_cast<u32>(std::bit_width(static_cast<u32>(v.hi) - static_cast<u32>(v.lo)));
}

}  // namespace

Slots::Slots(const promela::System& system, const promela::Facts& facts, Arena& arena)
    : s_(system),
      facts_(facts),
      arena_(arena),
      slots_(arena, "slots"),
      types_(arena, "slots"),
      codes_(arena, "slots"),
      cells_(arena, "slots"),
      channels_(arena, "slots"),
      forms_(arena, "slots"),
      ranges_(arena, "slots"),
      types_of_places_(scratch_array<u32>(arena, "slots", system.places.size(), kNone)) {
  for (u32 t = 0; t < s_.proctypes.size(); ++t) {
    const Proctype& type = s_.proctypes[t];
    for (u32 i = 0; i < type.place_count; ++i) types_of_places_[type.first_place + i] = t;
    initial_processes_ += type.active;
  }
}

u32 Slots::add_leaf(Interval range) { return ranges_.push(range); }

u32 Slots::find_type(u32 q, u32 proctype) const {
  const Slot& slot = slots_[q];
  for (u32 i = 0; i < slot.type_count; ++i) {
    if (types_[slot.first_type + i].proctype == proctype) return slot.first_type + i;
  }
  return kNone;
}

u32 Slots::code(u32 q, PlaceId place) const {
  const u32 proctype = types_of_places_[place];
  const u32 found = find_type(q, proctype);
  if (found == kNone) return 0;
  return codes_[types_[found].first_place + place - s_.proctypes[proctype].first_place];
}

// Forms that a channel of this number can have share its cells.
void Slots::lay_out_channel(u32 number) {
  ChannelSlot out;
  out.first_form = forms_.size();
  u32 capacity = 0;
  for (u32 f = 0; f < s_.channels.size(); ++f) {
    if (!facts_.can_have_form(number, f)) continue;
    const ChannelForm& form = s_.channels[f];
    forms_.push(f);
    ++out.form_count;
    if (form.capacity > capacity) capacity = form.capacity;
    const u32 cells = form.capacity * form.field_count;
    if (cells > out.cell_count) out.cell_count = cells;
  }
  if (number > static_channels()) out.form = add_leaf({0, static_cast<i32>(out.form_count)});
  if (capacity > 0) {
    out.length = add_leaf({0, static_cast<i32>(capacity)});
    out.cells = ranges_.size();
    for (u32 i = 0; i < out.cell_count; ++i) {
      Interval range = kZero;
      for (u32 f = 0; f < out.form_count; ++f) {
        const ChannelForm& form = s_.channels[forms_[out.first_form + f]];
        if (form.field_count == 0 || i >= form.capacity * form.field_count) continue;
        range = ir::join(range, facts_.message(number, i % form.field_count));
      }
      add_leaf(range);
    }
  }
  channels_.push(out);
}

u32 Slots::width_of(const SlotType& type, const promela::Variable& v) const {
  u32 most = 0;
  for (u32 i = 0; i < v.leaves; ++i) {
    const Interval range = ir::join(kZero, facts_.local(type.slot, type.proctype, v.leaf + i));
    if (width(range) > most) most = width(range);
  }
  return most;
}

// The widest variables first, so that those of different types that share cells are alike.
void Slots::place_cells(const SlotType& type) {
  const Proctype& proctype = s_.proctypes[type.proctype];
  for (u32 i = 0; i < proctype.leaf_count; ++i) cells_.push(kNone);
  u32 next = 0;
  for (u32 bits = 33; bits-- > 0;) {
    for (u32 i = 0; i < proctype.variable_count; ++i) {
      const promela::Variable& v = s_.locals[proctype.first_variable + i];
      if (width_of(type, v) != bits) continue;
      for (u32 k = 0; k < v.leaves; ++k) cells_[type.first_cell + v.leaf + k] = next++;
    }
  }
  for (u32 i = 0; i < proctype.leaf_count; ++i) {
    if (cells_[type.first_cell + i] == kNone) cells_[type.first_cell + i] = next++;
  }
}

void Slots::lay_out_type(u32 q, u32 proctype) {
  const Proctype& from = s_.proctypes[proctype];
  Slot& slot = slots_[q];
  SlotType type{q, proctype, slot.codes, slot.codes, codes_.size(), cells_.size()};
  for (u32 i = 0; i < from.place_count; ++i) {
    const PlaceId place = from.first_place + i;
    const bool is_kept = facts_.can_be_at(q, place) && !s_.places[place].is_indivisible;
    codes_.push(is_kept ? slot.codes++ : 0);
  }
  type.last_code = slot.codes - 1;
  place_cells(type);
  types_.push(type);
  ++slot.type_count;
  if (from.leaf_count > slot.cell_count) slot.cell_count = from.leaf_count;
  if (facts_.can_die(q, proctype)) slot.is_always_there = false;
}

void Slots::lay_out_slot(u32 q) {
  slots_.push({.place = 0, .first_type = types_.size(), .is_always_there = q < initial_processes_});
  for (u32 t = 0; t < s_.proctypes.size(); ++t) {
    if (promela::can_run(s_.proctypes[t].kind) && facts_.can_be(q, t)) lay_out_type(q, t);
  }
  Slot& slot = slots_[q];
  slot.place = add_leaf({slot.is_always_there ? 1 : 0, static_cast<i32>(slot.codes) - 1});
  if (s_.uses_priorities) slot.priority = add_leaf({0, 255});
  slot.cells = ranges_.size();
  for (u32 i = 0; i < slot.cell_count; ++i) {
    const bool is_single = slot.is_always_there && slot.type_count == 1;
    add_leaf(is_single ? Interval{} : kZero);
  }
  for (u32 i = 0; i < slot.type_count; ++i) {
    const SlotType& type = types_[slot.first_type + i];
    for (u32 k = 0; k < s_.proctypes[type.proctype].leaf_count; ++k) {
      Interval& range = ranges_[cell(type, k)];
      range = ir::join(range, facts_.local(q, type.proctype, k));
    }
  }
}

void Slots::lay_out_trace() {
  const Proctype& trace = s_.proctypes[s_.trace];
  trace_codes_ = scratch_array<u32>(arena_, "slots", trace.place_count, kNone);
  const auto add = [&](PlaceId place) {
    u32& code = trace_codes_[place - trace.first_place];
    if (code == kNone) code = trace_places_++;
  };
  add(trace.start);
  for (u32 i = 0; i < trace.place_count; ++i) {
    const promela::Place& place = s_.places[trace.first_place + i];
    if (place.is_last && s_.is_forbidden) add(trace.first_place + i);
    for (u32 k = 0; k < place.option_count; ++k)
      add(s_.actions[s_.options[place.first_option + k].action].next);
  }
  trace_ = add_leaf({0, static_cast<i32>(trace_places_) - 1});
}

Status Slots::lay_out() {
  for (u32 i = 0; i < s_.global_leaves.size(); ++i) add_leaf(facts_.global(i));
  channels_.push({});  // 0 is no channel
  for (u32 n = 1; n <= facts_.static_channels(); ++n) lay_out_channel(n);
  for (u32 q = 0; q < facts_.slots(); ++q) {
    lay_out_slot(q);
    if (ranges_.size() <= limits::kLeaves / 2) continue;
    return Status::fail(Code::model,
                        "processes take more than %u values (limit kLeaves); use --max-procs",
                        limits::kLeaves / 2);
  }
  for (u32 n = facts_.static_channels() + 1; n <= facts_.channels(); ++n) lay_out_channel(n);
  if (s_.uses_last) last_ = add_leaf({0, static_cast<i32>(limits::kPromelaNumbers)});
  if (s_.trace != kNone) lay_out_trace();
  for (u32 i = 0; i < ranges_.size(); ++i) {
    if (ranges_[i].empty()) ranges_[i] = kZero;
  }
  return {};
}

}  // namespace xmc::promela_lower
