// Columns: an array of the text is one variable of the program, an element for each combination of
// indexes on the way to a simple value, so that code can index it. Where types share cells, each
// cell is a column of its own.
#include "ir/layout.h"
#include "lower/promela/lowering.h"
#include "xmc/check.h"

namespace xmc::promela_lower {

// A column of the leaves first, first + stride of a dimension, ... by `dimensions_`.
template <class LeafOf>
void Lowering::add_column(std::string_view name, u32 leaf, u32 depth, LeafOf leaf_of) {
  ir::Variable v;
  v.name = names_.keep(name);
  for (u32 d = 0; d < depth; ++d) v.size *= dimensions_[d].count;
  v.is_array = depth != 0;
  Interval range;
  const u32 index = columns_.size();
  for (u32 k = 0; k < v.size; ++k) {
    u32 at = leaf;
    u32 rest = k;
    for (u32 d = depth; d-- > 0;) {
      at += rest % dimensions_[d].count * dimensions_[d].stride;
      rest /= dimensions_[d].count;
    }
    const u32 placed = leaf_of(at);
    range = ir::join(range, slots_.range(placed));
    leaf_places_[placed] = {index, k};
  }
  v.lo = v.type_lo = range.lo;
  v.hi = v.type_hi = range.hi;
  columns_.push(v);
}

template <class LeafOf>
void Lowering::field_columns(const promela::Field& field, u32 first, u32 depth, LeafOf leaf_of) {
  const u32 leaf = first + field.leaf;
  XMC_CHECK(depth < kDimensions);
  if (field.elements != 0) dimensions_[depth++] = {field.elements, field.leaves / field.elements};
  if (field.type.kind == promela::TypeKind::simple)
    return add_column(field.name, leaf, depth, leaf_of);
  const promela::Record& record = s_.records[field.type.record];
  for (u32 i = 0; i < record.field_count; ++i)
    field_columns(s_.fields[record.first_field + i], leaf, depth, leaf_of);
}

// Of each field all messages, where the channel has one form.
void Lowering::channel_columns(const ChannelSlot& channel) {
  if (channel.length == kNone || channel.form_count != 1) return;
  const promela::ChannelForm& form = s_.channels[slots_.form(channel, 0)];
  for (u32 f = 0; f < form.field_count; ++f) {
    dimensions_[0] = {form.capacity, form.field_count};
    add_column("messages", channel.cells + f, 1, [](u32 leaf) { return leaf; });
  }
}

void Lowering::slot_columns(const Slot& slot) {
  if (slot.type_count != 1) return;
  const SlotType& type = slots_.type(slot.first_type);
  const promela::Proctype& proctype = s_.proctypes[type.proctype];
  for (u32 i = 0; i < proctype.variable_count; ++i) {
    field_columns(s_.locals[proctype.first_variable + i], 0, 0,
                  [&](u32 leaf) { return slots_.cell(type, leaf); });
  }
}

void Lowering::make_columns() {
  leaf_places_ = arena_.carve_array<LeafPlace>("program", slots_.leaves());
  for (LeafPlace& place : leaf_places_) place = {};
  for (u32 i = 0; i < s_.globals.size(); ++i)
    field_columns(s_.globals[i], 0, 0, [](u32 leaf) { return leaf; });
  for (u32 n = 1; n <= slots_.channels(); ++n) channel_columns(slots_.channel(n));
  for (u32 q = 0; q < slots_.count(); ++q) slot_columns(slots_.slot(q));
  for (u32 leaf = 0; leaf < slots_.leaves(); ++leaf) {
    if (leaf_places_[leaf].column == kNone)
      add_column("cell", leaf, 0, [](u32 placed) { return placed; });
  }
  const u32 automata = has_automaton() ? 1 : 0;
  p_.variables = arena_.carve_array<ir::Variable>("program", columns_.size() + automata);
  p_.initial_values = arena_.carve_array<i32>("program", slots_.leaves() + automata);
  u32 values = 0;
  for (u32 i = 0; i < columns_.size(); ++i) {
    ir::Variable& v = p_.variables[i] = columns_[i];
    v.first_initial = values;
    for (u32 k = 0; k < v.size; ++k) p_.initial_values[values++] = before({v.lo, v.hi});
  }
  if (automata == 0) return;
  place_automaton();
  p_.variables.back().first_initial = values;
  p_.initial_values[values] = static_cast<i32>(p_.processes[0].initial);
}

// After the layout.
void Lowering::place_leaves() {
  p_.leaves = arena_.carve_array<ir::Leaf>("program", slots_.leaves());
  for (u32 i = 0; i < slots_.leaves(); ++i) {
    const ir::Variable& v = p_.variables[leaf_places_[i].column];
    p_.leaves[i] = {ir::element_slot(v, leaf_places_[i].element), v.lo, v.hi, true};
  }
}

}  // namespace xmc::promela_lower
