// Columns: an array of the text is one variable of the program, an element for each combination of
// indexes on the way to a simple value, so that code can index it. Where types share cells, each
// cell is a column of its own.
#include "ir/layout.h"
#include "lower/promela/layout/layout.h"
#include "xmc/check.h"
#include "xmc/limits.h"

namespace xmc::promela_lower {

namespace {

class Columns {
 public:
  Columns(const Layout& layout, NameStore& names, Arena& arena)
      : s_(layout.s), slots_(layout.slots), names_(names), columns_(arena, "columns") {}

  // All of them; the places of leaves are filled in.
  void make(std::span<Layout::Place> places);
  const Pool<ir::Variable, 6, 8192>& list() const { return columns_; }

 private:
  struct Dimension {
    u32 count = 0;
    u32 stride = 0;
  };
  static constexpr u32 kDimensions = 2 * limits::kBlockDepth;

  void of_channel(const ChannelSlot& channel);
  void of_slot(const Slot& slot);
  template <class LeafOf>
  void of_field(const promela::Field& field, u32 first, u32 depth, LeafOf leaf_of);
  template <class LeafOf>
  void add(std::string_view name, u32 leaf, u32 depth, LeafOf leaf_of);

  const promela::System& s_;
  const Slots& slots_;
  NameStore& names_;
  Pool<ir::Variable, 6, 8192> columns_;
  std::span<Layout::Place> places_;
  Dimension dimensions_[kDimensions];  // on the way to the field at hand
};

// A column of the leaves first, first + stride of a dimension, ... by `dimensions_`.
template <class LeafOf>
void Columns::add(std::string_view name, u32 leaf, u32 depth, LeafOf leaf_of) {
  ir::Variable v;
  v.name = names_.keep(name);
  for (u32 d = 0; d < depth; ++d) v.size *= dimensions_[d].count;
  v.is_array = depth != 0;
  ir::Interval range;
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
    places_[placed] = {index, k};
  }
  v.lo = v.type_lo = range.lo;
  v.hi = v.type_hi = range.hi;
  columns_.push(v);
}

template <class LeafOf>
void Columns::of_field(const promela::Field& field, u32 first, u32 depth, LeafOf leaf_of) {
  const u32 leaf = first + field.leaf;
  XMC_CHECK(depth < kDimensions);
  if (field.elements != 0) dimensions_[depth++] = {field.elements, field.leaves / field.elements};
  if (field.type.kind == promela::TypeKind::simple) return add(field.name, leaf, depth, leaf_of);
  const promela::Record& record = s_.records[field.type.record];
  for (u32 i = 0; i < record.field_count; ++i)
    of_field(s_.fields[record.first_field + i], leaf, depth, leaf_of);
}

// Of each field all messages, where the channel has one form.
void Columns::of_channel(const ChannelSlot& channel) {
  if (channel.length == kNone || channel.form_count != 1) return;
  const promela::ChannelForm& form = s_.channels[slots_.form(channel, 0)];
  for (u32 f = 0; f < form.field_count; ++f) {
    dimensions_[0] = {form.capacity, form.field_count};
    add("messages", channel.cells + f, 1, [](u32 leaf) { return leaf; });
  }
}

void Columns::of_slot(const Slot& slot) {
  if (slot.type_count != 1) return;
  const SlotType& type = slots_.type(slot.first_type);
  const promela::Proctype& proctype = s_.proctypes[type.proctype];
  for (u32 i = 0; i < proctype.variable_count; ++i) {
    of_field(s_.locals[proctype.first_variable + i], 0, 0,
             [&](u32 leaf) { return slots_.cell(type, leaf); });
  }
}

void Columns::make(std::span<Layout::Place> places) {
  places_ = places;
  for (Layout::Place& place : places_) place = {};
  for (u32 i = 0; i < s_.globals.size(); ++i)
    of_field(s_.globals[i], 0, 0, [](u32 leaf) { return leaf; });
  for (u32 n = 1; n <= slots_.channels(); ++n) of_channel(slots_.channel(n));
  for (u32 q = 0; q < slots_.count(); ++q) of_slot(slots_.slot(q));
  for (u32 leaf = 0; leaf < slots_.leaves(); ++leaf) {
    if (places_[leaf].column == kNone) add("cell", leaf, 0, [](u32 placed) { return placed; });
  }
}

}  // namespace

void make_columns(bool has_automaton, NameStore& names, Arena& arena, ir::RuleProgram& program,
                  Layout& layout) {
  Columns columns(layout, names, arena);
  const u32 leaves = layout.slots.leaves();
  const auto places = arena.carve_array<Layout::Place>("program", leaves);
  columns.make(places);
  const u32 automata = has_automaton ? 1 : 0;
  const auto& list = columns.list();
  program.variables = arena.carve_array<ir::Variable>("program", list.size() + automata);
  program.initial_values = arena.carve_array<i32>("program", leaves + automata);
  u32 values = 0;
  for (u32 i = 0; i < list.size(); ++i) {
    ir::Variable& v = program.variables[i] = list[i];
    v.first_initial = values;
    for (u32 k = 0; k < v.size; ++k) program.initial_values[values++] = before({v.lo, v.hi});
  }
  layout.columns = program.variables;
  layout.places = places;
}

void place_leaves(const Layout& layout, Arena& arena, ir::RuleProgram& program) {
  program.leaves = arena.carve_array<ir::Leaf>("program", layout.places.size());
  for (u32 i = 0; i < layout.places.size(); ++i) {
    const ir::Variable& v = layout.column(i);
    program.leaves[i] = {ir::element_slot(v, layout.places[i].element), v.lo, v.hi, true};
  }
}

}  // namespace xmc::promela_lower
