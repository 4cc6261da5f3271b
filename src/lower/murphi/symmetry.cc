#include "lower/murphi/symmetry.h"

#include <algorithm>
#include <new>

#include "xmc/check.h"
#include "xmc/limits.h"

namespace xmc {

namespace {

using murphi::Type;
using murphi::TypeId;
using murphi::TypeKind;

// Two walks over all leaves of the state: the first one counts, the second one writes.
class SymmetryFinder {
 public:
  SymmetryFinder(const murphi::System& system, Arena& arena, const ir::RuleProgram& program)
      : s_(system), arena_(arena), p_(program) {}

  Status run(ir::Symmetry& out);

 private:
  // Where a walk is: a leaf, the leaf that stands for its orbit, the atoms among its indices.
  struct At {
    u32 leaf = 0;
    u32 orbit = 0;
    u32 depth = 0;
    bool unordered = false;
  };

  bool is_reduced(const Type& t) const {
    return t.kind == TypeKind::scalarset && !t.name.empty() && t.high > t.low;
  }
  void number_atoms();
  void make_tables();
  u16 atom_of(TypeId id, i64 value) const;
  u16 first_atom_of(u16 atom) const;
  bool has_atoms(TypeId id) const;
  void walk_globals();
  void walk(TypeId id, const At& at);
  void walk_array(const Type& t, const At& at);
  void walk_multiset(const Type& t, const At& at);
  void leaf(TypeId id, const At& at);

  const murphi::System& s_;
  Arena& arena_;
  const ir::RuleProgram& p_;
  std::span<u16> first_atoms_;  // of types
  std::span<u32> tables_;       // of types, in value_atoms_
  std::span<ir::AtomSet> sets_;
  u32 atoms_ = 0;
  ir::AtomIndex path_[limits::kBlockDepth * 2];

  bool writing_ = false;
  u32 leaf_count_ = 0;
  u32 index_count_ = 0;
  u32 multiset_count_ = 0;
  std::span<ir::SymmetricLeaf> leaves_;
  std::span<ir::AtomIndex> indices_;
  std::span<ir::SymmetricMultiset> multisets_;
  std::span<u16> value_atoms_;
};

void SymmetryFinder::number_atoms() {
  const u32 types = s_.types.size();
  first_atoms_ = arena_.carve_array<u16>("program", types);
  tables_ = arena_.carve_array<u32>("program", types);
  std::fill(first_atoms_.begin(), first_atoms_.end(), ir::kNoAtom);
  std::fill(tables_.begin(), tables_.end(), kNone);
  u32 sets = 0;
  for (u32 i = 0; i < types; ++i) sets += is_reduced(s_.types[i]) ? 1u : 0u;
  sets_ = arena_.carve_array<ir::AtomSet>("program", sets);
  sets = 0;
  for (u32 i = 0; i < types; ++i) {
    const Type& t = s_.types[i];
    if (!is_reduced(t)) continue;
    const u32 count = static_cast<u32>(std::min<i64>(t.high + 1, limits::kAtoms + i64{1}));
    if (atoms_ <= limits::kAtoms) {
      first_atoms_[i] = static_cast<u16>(atoms_);
      sets_[sets++] = {static_cast<u16>(atoms_), static_cast<u16>(count)};
    }
    atoms_ += count;
  }
}

u16 SymmetryFinder::atom_of(TypeId id, i64 value) const {
  const Type& t = s_.types[id];
  if (first_atoms_[id] != ir::kNoAtom) return static_cast<u16>(first_atoms_[id] + value);
  if (t.kind != TypeKind::union_of) return ir::kNoAtom;
  for (u32 i = t.count; i-- > 0;) {
    const murphi::Part& part = s_.parts[t.first + i];
    if (value >= part.first_value) return atom_of(part.type, value - part.first_value);
  }
  return ir::kNoAtom;
}

u16 SymmetryFinder::first_atom_of(u16 atom) const {
  for (const ir::AtomSet& set : sets_) {
    if (atom < set.first + set.count) return set.first;
  }
  return 0;
}

// Whether a permutation changes values of this type.
bool SymmetryFinder::has_atoms(TypeId id) const {
  const Type& t = s_.types[id];
  switch (t.kind) {
    case TypeKind::array:
      return has_atoms(t.index) || has_atoms(t.element);
    case TypeKind::multiset:
      return has_atoms(t.element);
    case TypeKind::record:
      for (u32 i = 0; i < t.count; ++i) {
        if (has_atoms(s_.fields[t.first + i].type)) return true;
      }
      return false;
    case TypeKind::union_of:
      for (u32 i = 0; i < t.count; ++i) {
        if (first_atoms_[s_.parts[t.first + i].type] != ir::kNoAtom) return true;
      }
      return false;
    default:
      return first_atoms_[id] != ir::kNoAtom;
  }
}

// Atoms by codes, code 0 being undefined.
void SymmetryFinder::make_tables() {
  const auto simple = [&](u32 id) {
    const TypeKind kind = s_.types[id].kind;
    return (kind == TypeKind::scalarset || kind == TypeKind::union_of) && has_atoms(id);
  };
  u64 entries = 0;
  for (u32 i = 0; i < s_.types.size(); ++i)
    entries += simple(i) ? static_cast<u64>(s_.types[i].high + 2) : 0;
  value_atoms_ = arena_.carve_array<u16>("program", entries);
  u32 next = 0;
  for (u32 i = 0; i < s_.types.size(); ++i) {
    if (!simple(i)) continue;
    tables_[i] = next;
    value_atoms_[next++] = ir::kNoAtom;
    for (i64 v = 0; v <= s_.types[i].high; ++v) value_atoms_[next++] = atom_of(i, v);
  }
}

void SymmetryFinder::leaf(TypeId id, const At& at) {
  if (at.depth == 0 && tables_[id] == kNone && !at.unordered) return;
  if (writing_) {
    leaves_[leaf_count_] = {.slot = p_.leaves[at.leaf].slot,
                            .leaf = at.leaf,
                            .orbit = at.orbit,
                            .first_index = index_count_,
                            .index_count = static_cast<u16>(at.depth),
                            .unordered = at.unordered,
                            .values = tables_[id]};
    std::copy_n(path_, at.depth, indices_.subspan(index_count_).begin());
  }
  ++leaf_count_;
  index_count_ += at.depth;
}

void SymmetryFinder::walk_array(const Type& t, const At& at) {
  const Type& index = s_.types[t.index];
  const u32 stride = s_.types[t.element].leaves;
  for (i64 v = index.low; v <= index.high; ++v) {
    const u32 step = static_cast<u32>(v - index.low) * stride;
    const u16 atom = atom_of(t.index, v);
    At next = at;
    next.leaf += step;
    next.orbit += step;
    if (atom != ir::kNoAtom) {
      XMC_CHECK(at.depth < std::size(path_));
      path_[next.depth++] = {stride, atom};
      next.orbit -= (atom - u32{first_atom_of(atom)}) * stride;
    }
    walk(t.element, next);
  }
}

void SymmetryFinder::walk_multiset(const Type& t, const At& at) {
  const u32 stride = s_.types[t.element].leaves + 1;
  const bool sorted_anew = has_atoms(t.element);
  if (sorted_anew) {
    if (writing_) multisets_[multiset_count_] = {at.leaf, t.count, stride};
    ++multiset_count_;
  }
  for (u32 k = 0; k < t.count; ++k) {
    At next = at;
    next.unordered = at.unordered || sorted_anew;
    next.leaf += k * stride;
    if (!next.unordered) next.orbit += k * stride;
    walk(t.element, next);
    next.leaf += stride - 1;
    next.orbit += stride - 1;
    leaf(murphi::kBooleanType, next);
  }
}

void SymmetryFinder::walk(TypeId id, const At& at) {
  const Type& t = s_.types[id];
  switch (t.kind) {
    case TypeKind::record:
      for (u32 i = 0; i < t.count; ++i) {
        const murphi::Field& f = s_.fields[t.first + i];
        At next = at;
        next.leaf += f.leaf;
        next.orbit += f.leaf;
        walk(f.type, next);
      }
      return;
    case TypeKind::array:
      return walk_array(t, at);
    case TypeKind::multiset:
      return walk_multiset(t, at);
    default:
      leaf(id, at);
  }
}

void SymmetryFinder::walk_globals() {
  leaf_count_ = index_count_ = multiset_count_ = 0;
  for (u32 i = 0; i < s_.variables.size(); ++i) {
    const murphi::Variable& v = s_.variables[i];
    if (v.role == murphi::Role::global) walk(v.type, {.leaf = v.leaf, .orbit = v.leaf});
  }
}

Status SymmetryFinder::run(ir::Symmetry& out) {
  number_atoms();
  if (atoms_ > limits::kAtoms) {
    return Status::fail(Code::model,
                        "scalarsets with names have more than %u values together (limit kAtoms); "
                        "use --symmetry off",
                        limits::kAtoms);
  }
  make_tables();
  walk_globals();
  leaves_ = arena_.carve_array<ir::SymmetricLeaf>("program", leaf_count_);
  indices_ = arena_.carve_array<ir::AtomIndex>("program", index_count_);
  multisets_ = arena_.carve_array<ir::SymmetricMultiset>("program", multiset_count_);
  writing_ = true;
  walk_globals();
  out = {.atoms = atoms_,
         .leaf_count = s_.state_leaves,
         .sets = sets_,
         .leaves = leaves_,
         .indices = indices_,
         .value_atoms = value_atoms_,
         .multisets = multisets_};
  return {};
}

}  // namespace

Status find_symmetry(const murphi::System& system, Arena& arena, ir::RuleProgram& program) {
  ir::Symmetry found;
  XMC_TRY(SymmetryFinder(system, arena, program).run(found));
  if (found.leaves.empty()) return {};
  program.symmetry = ::new (arena.carve("program", sizeof(ir::Symmetry))) ir::Symmetry(found);
  return {};
}

}  // namespace xmc
