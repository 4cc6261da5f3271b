#include "lower/promela/facts/cells.h"

namespace xmc::promela {

using ir::Interval;

Interval range_of(const Leaf& leaf) {
  if (leaf.kind == LeafKind::short_int) return {-32768, 32767};
  if (leaf.kind == LeafKind::integer || leaf.width >= 32) return ir::kEverything;
  return {0, static_cast<i32>((u32{1} << leaf.width) - 1)};
}

Interval cut(const Leaf& leaf, Interval v) {
  const Interval range = range_of(leaf);
  if (v.inside(range.lo, range.hi)) return v;
  if (!v.single()) return range;
  if (leaf.kind == LeafKind::short_int) {
    const i32 out = static_cast<i16>(v.lo);
    return {out, out};
  }
  const i32 out = v.lo & range.hi;
  return {out, out};
}

Frame Cells::make(Arena& arena, u32 leaf_count) const {
  return {scratch_table<u32>(arena, leaf_count), scratch_table<Interval>(arena, leaf_count),
          scratch_table<u32>(arena, leaf_count)};
}

void Cells::add(const Variable& variable, const Leaves& leaves, u32 first, u8& collapsed,
                Frame& frame, u32& cells) const {
  collapsed = variable.leaves > kSpread ? 1 : 0;
  for (u32 i = 0; i < variable.leaves; ++i) {
    const u32 leaf = variable.leaf + i;
    const u32 same = collapsed != 0 ? element_zero(variable, leaf) : leaf;
    const u32 cell = same == leaf ? cells++ : frame.cell_of[same];
    frame.cell_of[leaf] = cell;
    frame.range[cell] = range_of(leaves[first + leaf]);
    ++frame.leaves[cell];
  }
}

Cells::Cells(const System& system, Arena& arena) : s_(system) {
  collapsed_globals_ = scratch_table<u8>(arena, s_.globals.size());
  collapsed_locals_ = scratch_table<u8>(arena, s_.locals.size());
  locals_ = scratch_table<Frame>(arena, s_.proctypes.size());
  globals_ = make(arena, s_.global_leaves.size());
  u32 cells = 0;
  for (u32 i = 0; i < s_.globals.size(); ++i) {
    add(s_.globals[i], s_.global_leaves, 0, collapsed_globals_[i], globals_, cells);
  }
  globals_.range = globals_.range.first(cells);
  for (u32 i = 0; i < s_.proctypes.size(); ++i) {
    const Proctype& type = s_.proctypes[i];
    Frame& frame = locals_[i] = make(arena, type.leaf_count);
    cells = 0;
    for (u32 j = 0; j < type.variable_count; ++j) {
      const u32 v = type.first_variable + j;
      add(s_.locals[v], s_.local_leaves, type.first_leaf, collapsed_locals_[v], frame, cells);
    }
    frame.range = frame.range.first(cells);
  }
}

// The leaf that is the same one in the first elements of all arrays around it.
u32 Cells::element_zero(const Variable& variable, u32 leaf) const {
  const Field* field = &variable;
  u32 out = variable.leaf;
  leaf -= variable.leaf;
  for (;;) {
    if (field->elements > 0) leaf %= field->leaves / field->elements;
    if (field->type.kind == TypeKind::simple) return out;
    const Record& record = s_.records[field->type.record];
    u32 i = record.field_count - 1;
    while (i > 0 && s_.fields[record.first_field + i].leaf > leaf) --i;
    field = &s_.fields[record.first_field + i];
    out += field->leaf;
    leaf -= field->leaf;
  }
}

}  // namespace xmc::promela
