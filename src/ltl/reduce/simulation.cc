#include "ltl/reduce/simulation.h"

#include "ltl/graph/guard.h"
#include "ltl/reduce/similarity.h"

namespace xmc::ltl {

namespace {

// An arc goes where others of its state that are no worse take all of its letters. One at a time:
// of two that stand for each other one stays.
void drop_arcs(Graph& graph, const Similarity& similarity, Arena& arena, Effort& effort) {
  const std::span<Cube> cubes = scratch_array<Cube>(arena, graph.arcs.size());
  for (u32 s = 0; s < graph.states; ++s) {
    const std::span<Arc> arcs = graph.arcs_of(s);
    for (Arc& arc : arcs) {
      u32 count = 0;
      for (const Arc& other : arcs) {
        if (&other == &arc || other.target == kNone) continue;
        if (similarity.no_better(arc, other)) cubes[count++] = other.cube;
      }
      if (count > 0 && covered(arc.cube, cubes.first(count), effort)) arc.target = kNone;
    }
  }
}

// A class of states has the arcs of its first one.
bool merge(Graph& graph, const Similarity& similarity, Arena& arena, Effort& effort) {
  const std::size_t arcs = graph.arcs.size();
  const u32 states = graph.states;
  drop_arcs(graph, similarity, arena, effort);
  const std::span<u32> to = scratch_array<u32>(arena, states);
  u32 count = 0;
  for (u32 s = 0; s < states; ++s) {
    to[s] = kNone;
    for (u32 t = 0; t < s && to[s] == kNone; ++t) {
      if (similarity.equivalent(s, t)) to[s] = to[t];
    }
    if (to[s] == kNone) {
      to[s] = count++;
    } else {
      for (Arc& arc : graph.arcs_of(s)) arc.target = kNone;
    }
  }
  rename(graph, to, count);
  return count < states || graph.arcs.size() < arcs;
}

}  // namespace

bool reduce_by_simulation(Graph& graph, Arena& arena, Effort& effort) {
  if (graph.states > kSimilarityStates) return false;
  const u64 mark = arena.scratch_mark();
  Similarity similarity(graph, arena, effort);
  const bool smaller = similarity.refine() && merge(graph, similarity, arena, effort);
  arena.scratch_release(mark);
  return smaller;
}

}  // namespace xmc::ltl
