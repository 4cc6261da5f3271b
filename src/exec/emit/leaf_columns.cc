#include "exec/emit/leaf_columns.h"

#include "xmc/check.h"
#include "xmc/limits.h"
#include "xmc/scratch.h"

namespace xmc {

namespace {

constexpr u32 kWordBits = 64;
// Combinations of digits that are looked at, one by one.
constexpr u64 kCombinations = 1 << 14;

}  // namespace

LeafColumns::LeafColumns(const ir::RuleProgram& p, Arena& arena) {
  leaves_ = scratch_array<Leaf>(arena, "emitter", p.leaves.size());
  // Which leaf begins at a bit.
  const u64 mark = arena.scratch_mark();
  const std::span<u32> at =
      scratch_array<u32>(arena, "emitter", u64{p.state_words} * kWordBits, kNone);
  for (u32 i = 0; i < p.leaves.size(); ++i) {
    if (p.leaves[i].slot.width != 0)
      at[p.leaves[i].slot.word * kWordBits + p.leaves[i].slot.shift] = i;
  }
  for (u32 v = 0; v < p.variables.size(); ++v) {
    // What never changes has no bits, and where the automaton is, no leaf.
    const bool is_automaton = p.property != kNone && p.processes[p.property].location == v;
    if (p.variables[v].slot.width == 0 || is_automaton) continue;
    for (u32 k = 0; k < p.variables[v].size; ++k) {
      const Slot slot = ir::element_slot(p.variables[v], k);
      const u32 leaf = at[slot.word * kWordBits + slot.shift];
      XMC_CHECK(leaf != kNone);
      leaves_[leaf] = {v, k};
    }
  }
  arena.scratch_release(mark);
}

// Whether every combination of digits is where the strides say.
bool LeafColumns::fits(const BodyPlace& place, const ColumnPlace& found) const {
  u64 combinations = 1;
  for (u32 i = 0; i < place.term_count; ++i) {
    combinations *= place.terms[i].count;
    if (combinations > kCombinations) return false;
  }
  for (u64 c = 0; c < combinations; ++c) {
    u64 rest = c;
    std::size_t leaf = static_cast<std::size_t>(place.base);
    u32 element = found.element;
    for (u32 i = 0; i < place.term_count; ++i) {
      const u32 digit = static_cast<u32>(rest % place.terms[i].count);
      rest /= place.terms[i].count;
      leaf += std::size_t{digit} * place.terms[i].stride;
      element += digit * found.strides[i];
    }
    if (leaf >= leaves_.size()) return false;
    if (leaves_[leaf].variable != found.variable || leaves_[leaf].element != element) return false;
  }
  return true;
}

ColumnPlace LeafColumns::find(const BodyPlace& place) const {
  XMC_CHECK(place.kind == BodyPlace::Kind::leaf);
  const std::size_t base = static_cast<std::size_t>(place.base);
  if (base >= leaves_.size()) return {};
  ColumnPlace found{leaves_[base].variable, leaves_[base].element, {}};
  for (u32 i = 0; i < place.term_count; ++i) {
    const std::size_t next = base + place.terms[i].stride;
    if (place.terms[i].count < 2 || next >= leaves_.size()) continue;
    found.strides[i] = leaves_[next].element - found.element;
  }
  return fits(place, found) ? found : ColumnPlace{};
}

}  // namespace xmc
