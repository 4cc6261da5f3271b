#include "exec/models/canonical.h"

#include <algorithm>

#include "xmc/bytes.h"
#include "xmc/check.h"

namespace xmc {

namespace {

u64 mix(u64 x) {
  x ^= x >> 32;
  x *= 0xd6e8feb86659fd93u;
  x ^= x >> 32;
  x *= 0xd6e8feb86659fd93u;
  return x ^ x >> 32;
}

// Factors of what is summed up before it is mixed: one for each index of a leaf, and its value.
constexpr u64 kOrbit = 0x9e3779b97f4a7c15u;
constexpr u64 kValue = 0xc2b2ae3d27d4eb4fu;
u64 factor(u32 role) { return (u64{role} + 1) * 0x165667b19e3779f9u; }

u32 read_code(const Slot& s, const Word* state) {
  return static_cast<u32>(state[s.word] >> s.shift & ((u64{1} << s.width) - 1));
}

void write_code(const Slot& s, u32 code, Word* state) {
  const u64 mask = (u64{1} << s.width) - 1;
  Word& w = state[s.word];
  w = (w & ~(mask << s.shift)) | u64{code} << s.shift;
}

}  // namespace

Canonical::Canonical(const ir::Symmetry& symmetry, u32 state_words, Arena& arena)
    : s_(symmetry), words_(state_words) {
  const char* const name = "symmetry";
  codes_ = arena.carve_array<u32>(name, s_.leaf_count);
  image_ = arena.carve_array<u32>(name, s_.leaf_count);
  live_ = arena.carve_array<u32>(name, s_.leaves.size());
  marks_ = arena.carve_array<u64>(name, s_.atoms);
  colours_ = arena.carve_array<u16>(name, s_.atoms);
  to_ = arena.carve_array<u16>(name, s_.atoms);
  // Each level of the search makes one atom a cell, so that the last but one leaves no choice.
  pool_ = arena.carve_array<u16>(name, u64{2} * s_.atoms * (s_.atoms + 1));
  best_ = arena.carve_array<Word>(name, words_);
  now_ = arena.carve_array<Word>(name, words_);
}

// False: no leaf says anything of an atom.
bool Canonical::read(const Word* state) {
  live_count_ = 0;
  for (u32 i = 0; i < s_.leaves.size(); ++i) {
    const ir::SymmetricLeaf& leaf = s_.leaves[i];
    const u32 code = read_code(leaf.slot, state);
    codes_[leaf.leaf] = code;
    live_[live_count_] = i;
    live_count_ += code != 0 ? 1 : 0;
  }
  return live_count_ != 0;
}

// What each atom has to do with, as a sum over leaves. Undefined ones add nothing.
void Canonical::sign(const Partition& p) {
  for (u32 i = 0; i < s_.atoms; ++i) {
    colours_[p.order[i]] = p.begin[i];
    marks_[i] = 0;
  }
  for (u32 i = 0; i < live_count_; ++i) {
    const ir::SymmetricLeaf& leaf = s_.leaves[live_[i]];
    const u32 code = codes_[leaf.leaf];
    const u16 value = leaf.values == kNone ? ir::kNoAtom : s_.value_atoms[leaf.values + code];
    const ir::AtomIndex* const index = s_.indices.data() + leaf.first_index;
    u64 sum = leaf.orbit * kOrbit;
    sum += value == ir::kNoAtom ? code * kValue : (colours_[value] + u64{1}) * ~kValue;
    for (u32 k = 0; k < leaf.index_count; ++k)
      sum += (colours_[index[k].atom] + u64{1}) * factor(k);
    for (u32 k = 0; k < leaf.index_count; ++k) marks_[index[k].atom] += mix(sum + k + 1);
    if (value != ir::kNoAtom) marks_[value] += mix(sum);
  }
}

u32 Canonical::cell_end(const Partition& p, u32 begin) const {
  u32 end = begin + 1;
  while (end < s_.atoms && p.begin[end] == begin) ++end;
  return end;
}

// Cells come apart by marks. True: one did.
bool Canonical::split(const Partition& p) {
  bool any = false;
  for (u32 begin = 0; begin < s_.atoms;) {
    const u32 end = cell_end(p, begin);
    if (end - begin > 1) {
      const std::span<u16> cell = p.order.subspan(begin, end - begin);
      std::sort(cell.begin(), cell.end(), [&](u16 a, u16 b) {
        return marks_[a] != marks_[b] ? marks_[a] < marks_[b] : a < b;
      });
      for (u32 i = begin + 1; i < end; ++i) {
        const bool same = marks_[p.order[i]] == marks_[p.order[i - 1]];
        p.begin[i] = same ? p.begin[i - 1] : static_cast<u16>(i);
        any = any || !same;
      }
    }
    begin = end;
  }
  return any;
}

void Canonical::refine(const Partition& p) {
  while (open_cell(p) != kNone) {
    sign(p);
    if (!split(p)) return;
  }
}

// The first cell with several atoms.
u32 Canonical::open_cell(const Partition& p) const {
  for (u32 i = 1; i < s_.atoms; ++i) {
    if (p.begin[i] != i) return p.begin[i];
  }
  return kNone;
}

// Where the value of a leaf goes, and what it becomes, if moved(atom) is what is added to an atom:
// modulo 2^32, as addresses are.
template <class Moved>
Canonical::Place Canonical::moved_leaf(const ir::SymmetricLeaf& leaf, Moved moved) const {
  Place place{leaf.leaf, codes_[leaf.leaf]};
  if (leaf.values != kNone) {
    const u16 value = s_.value_atoms[leaf.values + place.code];
    if (value != ir::kNoAtom) place.code += moved(value);
  }
  for (u32 k = 0; k < leaf.index_count; ++k) {
    const ir::AtomIndex& index = s_.indices[leaf.first_index + k];
    place.leaf += index.stride * moved(index.atom);
  }
  return place;
}

// Whether the state stays as it is when these two change places. Of multisets that is known only
// where neither is in them.
bool Canonical::exchangeable(u32 a, u32 b) const {
  const u32 up = b - a;
  const auto moved = [&](u32 atom) { return atom == a ? up : atom == b ? 0 - up : 0; };
  for (u32 i = 0; i < live_count_; ++i) {
    const ir::SymmetricLeaf& leaf = s_.leaves[live_[i]];
    const auto [to, code] = moved_leaf(leaf, moved);
    if (leaf.unordered && code != codes_[leaf.leaf]) return false;
    if (codes_[to] != code) return false;
  }
  return true;
}

// Free elements come last.
bool Canonical::in_order(u32 a, u32 b, u32 leaves) const {
  const bool has_a = image_[a + leaves - 1] != 0;
  const bool has_b = image_[b + leaves - 1] != 0;
  if (has_a != has_b) return has_a;
  for (u32 i = 0; i + 1 < leaves; ++i) {
    if (image_[a + i] != image_[b + i]) return image_[a + i] < image_[b + i];
  }
  return true;
}

void Canonical::sort(const ir::SymmetricMultiset& m) {
  for (u32 i = 1; i < m.count; ++i) {
    for (u32 k = i; k > 0; --k) {
      const u32 high = m.first + k * m.leaves;
      const u32 low = high - m.leaves;
      if (in_order(low, high, m.leaves)) break;
      const std::span<u32> before = image_.subspan(low, m.leaves);
      std::swap_ranges(before.begin(), before.end(), image_.subspan(high).begin());
    }
  }
}

// The state with atoms in the order of a partition whose cells have one each, into now_.
void Canonical::image(const Partition& p) {
  bool moves = false;
  for (u32 i = 0; i < s_.atoms; ++i) {
    to_[p.order[i]] = static_cast<u16>(i);
    moves = moves || p.order[i] != i;
  }
  copy(now_, std::span<const Word>(state_, words_));
  if (!moves && s_.multisets.empty()) return;
  const auto moved = [&](u32 atom) { return u32{to_[atom]} - atom; };
  for (const ir::SymmetricLeaf& leaf : s_.leaves) image_[leaf.leaf] = 0;
  for (u32 i = 0; i < live_count_; ++i) {
    const auto [to, code] = moved_leaf(s_.leaves[live_[i]], moved);
    image_[to] = code;
  }
  for (const ir::SymmetricMultiset& m : s_.multisets) sort(m);
  for (const ir::SymmetricLeaf& leaf : s_.leaves) {
    write_code(leaf.slot, image_[leaf.leaf], now_.data());
  }
}

void Canonical::take(const Partition& p) {
  image(p);
  ++tried_;
  if (!found_ || std::lexicographical_compare(now_.begin(), now_.end(), best_.begin(), best_.end()))
    std::swap(now_, best_);
  found_ = true;
}

// The partition of this depth is to become one of single atoms, in every way that matters.
void Canonical::search(u32 depth) {
  const std::size_t n = s_.atoms;
  const auto at = [&](u32 d) {
    return Partition{pool_.subspan(2 * n * d, n), pool_.subspan(2 * n * d + n, n)};
  };
  const Partition p = at(depth);
  refine(p);
  u32 begin = open_cell(p);
  while (begin != kNone) {
    const u32 end = cell_end(p, begin);
    bool alike = true;
    for (u32 i = begin + 1; i < end && alike; ++i) alike = exchangeable(p.order[begin], p.order[i]);
    if (!alike) break;
    for (u32 i = begin; i < end; ++i) p.begin[i] = static_cast<u16>(i);
    refine(p);
    begin = open_cell(p);
  }
  if (begin == kNone) return take(p);
  const u32 end = cell_end(p, begin);
  const Partition next = at(depth + 1);
  for (u32 first = begin; first < end; ++first) {
    // One of several that can be exchanged stands for all of them.
    bool done = false;
    for (u32 i = begin; i < first && !done; ++i) done = exchangeable(p.order[i], p.order[first]);
    if (done) continue;
    std::copy(p.order.begin(), p.order.end(), next.order.begin());
    std::copy(p.begin.begin(), p.begin.end(), next.begin.begin());
    std::swap(next.order[begin], next.order[first]);
    for (u32 i = begin + 1; i < end; ++i) next.begin[i] = static_cast<u16>(begin + 1);
    search(depth + 1);
  }
}

void Canonical::apply(Word* state) {
  if (!read(state)) return;
  state_ = state;
  found_ = false;
  const std::size_t n = s_.atoms;
  const Partition p{pool_.first(n), pool_.subspan(n, n)};
  for (u32 i = 0; i < n; ++i) p.order[i] = static_cast<u16>(i);
  for (const ir::AtomSet& set : s_.sets) {
    for (u32 i = 0; i < set.count; ++i) p.begin[set.first + i] = set.first;
  }
  search(0);
  XMC_DASSERT(found_);
  copy(std::span<Word>(state, words_), std::span<const Word>(best_));
}

}  // namespace xmc
