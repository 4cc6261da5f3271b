#include "lower/murphi/columns.h"

#include "ir/layout.h"
#include "lower/product.h"
#include "xmc/check.h"
#include "xmc/limits.h"
#include "xmc/pool.h"
#include "xmc/text.h"

namespace xmc::murphi_lower {

namespace {

struct Columns {
  const Layout& layout;
  NameStore& names;
  std::span<LeafPlace> places;
  Pool<ir::Variable, 6, 1024> list;
};

// The indices on the path to a leaf, innermost first: how many values each has, and how many leaves
// they are apart.
struct Dimension {
  u32 count = 0;
  u32 stride = 0;
  const Dimension* outer = nullptr;
};

// The path to a leaf, or to leaves that are in one another.
struct Path {
  std::string_view name;
  u32 leaf = 0;
  const Dimension* innermost = nullptr;
};

void add_column(Columns& columns, const murphi::Type& t, const Path& path) {
  ir::Variable v;
  v.name = columns.names.keep(path.name);
  for (const Dimension* d = path.innermost; d != nullptr; d = d->outer) v.size *= d->count;
  v.is_array = path.innermost != nullptr;
  v.type_lo = static_cast<i32>(t.low);
  v.type_hi = static_cast<i32>(t.high);
  v.lo = v.type_lo - 1;  // undefined
  v.hi = v.type_hi;
  const u32 index = columns.list.push(v);
  for (u32 k = 0; k < v.size; ++k) {
    u32 at = path.leaf;
    u32 rest = k;
    for (const Dimension* d = path.innermost; d != nullptr; d = d->outer) {
      at += rest % d->count * d->stride;
      rest /= d->count;
    }
    columns.places[at] = {index, k};
  }
}

void add_columns(Columns& columns, TypeId id, const Path& path) {
  const murphi::Type& t = columns.layout.type(id);
  switch (t.kind) {
    case TypeKind::array: {
      const murphi::Type& index = columns.layout.type(t.index);
      const Dimension inner{static_cast<u32>(index.high - index.low + 1),
                            columns.layout.type(t.element).leaves, path.innermost};
      return add_columns(columns, t.element, {path.name, path.leaf, &inner});
    }
    case TypeKind::multiset: {
      const u32 leaves = columns.layout.type(t.element).leaves;
      const Dimension inner{t.count, leaves + 1, path.innermost};
      add_columns(columns, t.element, {path.name, path.leaf, &inner});
      return add_columns(columns, murphi::kBooleanType, {path.name, path.leaf + leaves, &inner});
    }
    case TypeKind::record:
      for (u32 i = 0; i < t.count; ++i) {
        const murphi::Field& f = columns.layout.system.fields[t.first + i];
        add_columns(columns, f.type, {f.name, path.leaf + f.leaf, path.innermost});
      }
      return;
    default:
      add_column(columns, t, path);
  }
}

}  // namespace

std::span<const LeafPlace> make_columns(const Layout& layout, const ir::Automaton* automaton,
                                        NameStore& names, Arena& arena, ir::RuleProgram& program) {
  const auto places = arena.carve_array<LeafPlace>("program", layout.system.state_leaves);
  Columns columns{layout, names, places, {arena, "columns"}};
  for (u32 i = 0; i < layout.system.variables.size(); ++i) {
    const murphi::Variable& v = layout.variable(i);
    if (v.role == Role::global) add_columns(columns, v.type, {v.name, v.leaf});
  }
  const u32 count = columns.list.size();
  const u32 automata = automaton != nullptr ? 1 : 0;
  program.variables = arena.carve_array<ir::Variable>("program", count + automata);
  u32 values = 0;
  for (u32 i = 0; i < count; ++i) {
    ir::Variable& v = program.variables[i] = columns.list[i];
    v.first_initial = values;
    values += v.size;
  }
  program.initial_values = arena.carve_array<i32>("program", values + automata);
  for (const ir::Variable& v : program.variables.first(count)) {
    for (u32 k = 0; k < v.size; ++k) program.initial_values[v.first_initial + k] = v.lo;
  }
  if (automaton != nullptr) add_automaton_process(*automaton, names, arena, program);
  return places;
}

void place_leaves(std::span<const LeafPlace> places, Arena& arena, ir::RuleProgram& program) {
  program.leaves = arena.carve_array<ir::Leaf>("program", places.size());
  for (std::size_t i = 0; i < places.size(); ++i) {
    const ir::Variable& v = program.variables[places[i].column];
    program.leaves[i] = {ir::element_slot(v, places[i].element), v.type_lo, v.type_hi};
  }
}

}  // namespace xmc::murphi_lower
