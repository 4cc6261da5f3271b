// The state: every leaf path of a global variable is one column, an ir::Variable with an element
// for each combination of indices on the path. So a column has one width, and words are filled
// with equal fields side by side.
#include "ir/layout.h"
#include "lower/murphi/lowering.h"
#include "xmc/check.h"
#include "xmc/text.h"

namespace xmc::murphi_lower {

void Lowering::make_columns() {
  leaf_places_ = arena_.carve_array<LeafPlace>("program", s_.state_leaves);
  for (u32 i = 0; i < s_.variables.size(); ++i) {
    const murphi::Variable& v = s_.variables[i];
    if (v.role == Role::global) column(v.type, v.name, v.leaf, 0);
  }
  u32 values = 0;
  const u32 automata = request_.automaton != nullptr ? 1 : 0;
  p_.variables = arena_.carve_array<ir::Variable>("program", columns_.size() + automata);
  for (u32 i = 0; i < columns_.size(); ++i) {
    p_.variables[i] = columns_[i];
    p_.variables[i].first_initial = values;
    values += columns_[i].size;
  }
  if (automata != 0) {
    place_automaton();
    p_.variables.back().first_initial = values++;
  }
  p_.initial_values = arena_.carve_array<i32>("program", values);
  for (const ir::Variable& v : p_.variables) {
    for (u32 k = 0; k < v.size; ++k) p_.initial_values[v.first_initial + k] = v.lo;
  }
  if (automata != 0) p_.initial_values.back() = static_cast<i32>(p_.processes[0].initial);
}

void Lowering::column(TypeId id, std::string_view name, u32 leaf, u32 depth) {
  const murphi::Type& t = type(id);
  XMC_CHECK(depth < kDimensions);
  switch (t.kind) {
    case TypeKind::array:
      dimensions_[depth] = {static_cast<u32>(type(t.index).high - type(t.index).low + 1),
                            type(t.element).leaves};
      return column(t.element, name, leaf, depth + 1);
    case TypeKind::multiset:
      dimensions_[depth] = {t.count, type(t.element).leaves + 1};
      column(t.element, name, leaf, depth + 1);
      return column(murphi::kBooleanType, name, leaf + type(t.element).leaves, depth + 1);
    case TypeKind::record:
      for (u32 i = 0; i < t.count; ++i) {
        const murphi::Field& f = s_.fields[t.first + i];
        column(f.type, f.name, leaf + f.leaf, depth);
      }
      return;
    default:
      add_column(t, name, leaf, depth);
  }
}

void Lowering::add_column(const murphi::Type& t, std::string_view name, u32 leaf, u32 depth) {
  ir::Variable v;
  v.name = names_.keep(name);
  for (u32 d = 0; d < depth; ++d) v.size *= dimensions_[d].count;
  v.is_array = depth != 0;
  v.type_lo = static_cast<i32>(t.low);
  v.type_hi = static_cast<i32>(t.high);
  v.lo = v.type_lo - 1;  // undefined
  v.hi = v.type_hi;
  const u32 index = columns_.push(v);
  for (u32 k = 0; k < v.size; ++k) {
    u32 at = leaf;
    u32 rest = k;
    for (u32 d = depth; d-- > 0;) {
      at += rest % dimensions_[d].count * dimensions_[d].stride;
      rest /= dimensions_[d].count;
    }
    leaf_places_[at] = {index, k};
  }
}

// After the layout.
void Lowering::place_leaves() {
  p_.leaves = arena_.carve_array<ir::Leaf>("program", s_.state_leaves);
  for (u32 i = 0; i < s_.state_leaves; ++i) {
    const ir::Variable& v = p_.variables[leaf_places_[i].column];
    p_.leaves[i] = {ir::element_slot(v, leaf_places_[i].element), v.type_lo, v.type_hi};
  }
}

}  // namespace xmc::murphi_lower
