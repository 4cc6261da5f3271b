#include "exec/models/symmetry.h"

#include <algorithm>
#include <new>

#include "exec/models/canonical.h"

namespace xmc {

namespace {

struct Orbits {
  Model inner;
  const ir::Symmetry* symmetry;
  Canonical canonical;
};

// Whether a step leads back to its state is judged before permutations are forgotten: one that
// leads to another permutation of it is a step on.
Expansion expand_orbits(void* self, const Word* state, const SuccessorBuffer& out) {
  Orbits& o = *static_cast<Orbits*>(self);
  const u32 words = o.inner.state_words;
  Expansion result = o.inner.expand(o.inner.self, state, out);
  if ((result.flags & kUnfinished) != 0) return result;
  bool moves = result.errors + result.dropped != 0;
  for (u32 i = 0; i < result.count; ++i) {
    Word* const next = out.states + u64{i} * words;
    if (std::equal(next, next + words, state)) continue;
    moves = true;
    o.canonical.apply(next);
  }
  if (!moves) result.flags |= kStutters;
  return result;
}

u32 initial_orbits(void* self, const SuccessorBuffer& out) {
  Orbits& o = *static_cast<Orbits*>(self);
  const u32 words = o.inner.state_words;
  const u32 count = o.inner.initial(o.inner.self, out);
  u32 kept = 0;
  for (u32 i = 0; i < count; ++i) {
    Word* const state = out.states + u64{i} * words;
    o.canonical.apply(state);
    bool known = false;
    for (u32 k = 0; k < kept && !known; ++k)
      known = std::equal(state, state + words, out.states + u64{k} * words);
    if (known) continue;
    std::copy_n(state, words, out.states + u64{kept} * words);
    ++kept;
  }
  return kept;
}

void canonical(void* self, Word* state) { static_cast<Orbits*>(self)->canonical.apply(state); }

u32 explain_orbits(void* self, const Word* state, u32 label, u32 predicate, Text& out) {
  const Model& inner = static_cast<Orbits*>(self)->inner;
  return inner.explain(inner.self, state, label, predicate, out);
}

u32 valuation_orbits(void* self, const Word* state) {
  const Model& inner = static_cast<Orbits*>(self)->inner;
  return inner.valuation(inner.self, state);
}

u32 live_orbits(void* self, const Word* state) {
  const Model& inner = static_cast<Orbits*>(self)->inner;
  return inner.live(inner.self, state);
}

u32 cycle_class_orbits(const void* self, const Word* state) {
  const Model& inner = static_cast<const Orbits*>(self)->inner;
  return inner.cycle_class(inner.self, state);
}

Orbits* carve_orbits(const Model& inner, const ir::Symmetry& symmetry, Arena& arena) {
  return ::new (arena.carve("symmetry", sizeof(Orbits), kLineBytes))
      Orbits{inner, &symmetry, Canonical(symmetry, inner.state_words, arena)};
}

void* fork_orbits(const void* self, Arena& arena) {
  const Orbits& from = *static_cast<const Orbits*>(self);
  Model inner = from.inner;
  inner.self = inner.fork(inner.self, arena);
  return carve_orbits(inner, *from.symmetry, arena);
}

}  // namespace

void make_symmetric(const ir::Symmetry& symmetry, const Model& inner, Arena& arena, Model& out) {
  Orbits* const orbits = carve_orbits(inner, symmetry, arena);
  const Model& whole = orbits->inner;
  XMC_CHECK(whole.unfold == nullptr);
  out = whole;
  out.self = orbits;
  out.initial = initial_orbits;
  out.expand = expand_orbits;
  out.canonical = canonical;
  if (whole.fork != nullptr) out.fork = fork_orbits;
  if (whole.explain != nullptr) out.explain = explain_orbits;
  if (whole.valuation != nullptr) out.valuation = valuation_orbits;
  if (whole.live != nullptr) out.live = live_orbits;
  if (whole.cycle_class != nullptr) out.cycle_class = cycle_class_orbits;
}

}  // namespace xmc
