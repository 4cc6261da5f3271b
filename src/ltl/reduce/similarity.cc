#include "ltl/reduce/similarity.h"

#include "ltl/graph/guard.h"

namespace xmc::ltl {

Similarity::Similarity(const Graph& graph, Arena& arena, Effort& effort)
    : graph_(graph),
      effort_(effort),
      row_words_((graph.states + 63) / 64),
      bits_(scratch_array<u64>(arena, u64{graph.states} * row_words_)),
      cubes_(scratch_array<Cube>(arena, graph.arcs.size())) {
  for (u64& word : bits_) word = ~u64{0};
}

// From all pairs on, those that are refuted go.
bool Similarity::refine() {
  for (bool changed = true; changed;) {
    changed = false;
    for (u32 s = 0; s < graph_.states; ++s) {
      for (u32 t = 0; t < graph_.states; ++t) {
        if (!below(s, t) || s == t || step_by_step(s, t)) continue;
        if (effort_.left() == 0) return false;
        bits_[s * row_words_ + t / 64] &= ~(u64{1} << (t % 64));
        changed = true;
      }
    }
  }
  return true;
}

bool Similarity::step_by_step(u32 s, u32 t) {
  for (const Arc& arc : graph_.arcs_of(s)) {
    if (!answered(arc, graph_.arcs_of(t))) return false;
  }
  return true;
}

bool Similarity::answered(const Arc& arc, std::span<const Arc> others) {
  if (!effort_.spend(others.size() + 1)) return false;
  u32 count = 0;
  for (const Arc& other : others) {
    if (!consistent(meet(arc.cube, other.cube)) || !no_better(arc, other)) continue;
    if (contains(other.cube, arc.cube)) return true;
    cubes_[count++] = other.cube;
  }
  return count > 1 && covered(arc.cube, cubes_.first(count), effort_);
}

}  // namespace xmc::ltl
