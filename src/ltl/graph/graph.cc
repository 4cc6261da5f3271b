#include "ltl/graph/graph.h"

#include <algorithm>

#include "xmc/check.h"

namespace xmc::ltl {

namespace {

bool before(const Arc& a, const Arc& b) {
  if (a.source != b.source) return a.source < b.source;
  if (a.target != b.target) return a.target < b.target;
  if (a.marks != b.marks) return a.marks < b.marks;
  if (a.cube.positive != b.cube.positive) return a.cube.positive < b.cube.positive;
  return a.cube.negative < b.cube.negative;
}

// Sorts the arcs, drops doubles and finds where those of each state begin.
void index_arcs(Graph& graph) {
  std::sort(graph.arcs.begin(), graph.arcs.end(), before);
  const auto end = std::unique(graph.arcs.begin(), graph.arcs.end());
  graph.arcs = graph.arcs.first(static_cast<std::size_t>(end - graph.arcs.begin()));
  graph.first = graph.first.first(graph.states + 1);
  u32 at = 0;
  for (u32 state = 0; state < graph.states; ++state) {
    graph.first[state] = at;
    while (at < graph.arcs.size() && graph.arcs[at].source == state) ++at;
  }
  XMC_CHECK(at == graph.arcs.size());
  graph.first[graph.states] = at;
}

// By letters first, so that the walk does not depend on the numbers that states had.
bool walk_before(const Arc& a, const Arc& b) {
  if (a.cube.positive != b.cube.positive) return a.cube.positive < b.cube.positive;
  if (a.cube.negative != b.cube.negative) return a.cube.negative < b.cube.negative;
  if (a.marks != b.marks) return a.marks < b.marks;
  return a.target < b.target;
}

}  // namespace

Status too_many_states() {
  return Status::fail(Code::model,
                      "the automaton has more than %u states; check parts of the property, such as "
                      "its conjuncts, one by one",
                      limits::kAutomatonStates);
}

Status GraphBuilder::add(const Arc& arc) {
  if (arcs_.full()) {
    return Status::fail(
        Code::model,
        "the automaton has more than %u edges; check parts of the property, such as "
        "its conjuncts, one by one",
        limits::kAutomatonEdges);
  }
  arcs_.push(arc);
  return {};
}

Graph GraphBuilder::finish(u32 states, u32 initial, u32 sets) {
  Graph graph;
  graph.states = states;
  graph.initial = initial;
  graph.sets = sets;
  graph.arcs = scratch_array<Arc>(arena_, arcs_.size());
  for (u32 i = 0; i < arcs_.size(); ++i) graph.arcs[i] = arcs_[i];
  graph.first = scratch_array<u32>(arena_, states + 1);
  index_arcs(graph);
  return graph;
}

void rename(Graph& graph, std::span<const u32> to, u32 states) {
  XMC_CHECK(to[graph.initial] < states && states <= graph.states);
  u32 kept = 0;
  for (Arc arc : graph.arcs) {
    if (arc.target == kNone || to[arc.source] == kNone || to[arc.target] == kNone) continue;
    arc.source = to[arc.source];
    arc.target = to[arc.target];
    graph.arcs[kept++] = arc;
  }
  graph.arcs = graph.arcs.first(kept);
  graph.initial = to[graph.initial];
  graph.states = states;
  index_arcs(graph);
}

void number_by_walk(Graph& graph, Arena& arena) {
  const u64 mark = arena.scratch_mark();
  const std::span<u32> to = scratch_array<u32>(arena, graph.states);
  const std::span<u32> queue = scratch_array<u32>(arena, graph.states);
  for (u32& number : to) number = kNone;
  u32 count = 0;
  to[graph.initial] = 0;
  queue[count++] = graph.initial;
  for (u32 at = 0; at < count; ++at) {
    const std::span<Arc> arcs = graph.arcs_of(queue[at]);
    std::sort(arcs.begin(), arcs.end(), walk_before);
    for (const Arc& arc : arcs) {
      if (to[arc.target] != kNone) continue;
      to[arc.target] = count;
      queue[count++] = arc.target;
    }
  }
  rename(graph, to, count);
  arena.scratch_release(mark);
}

}  // namespace xmc::ltl
