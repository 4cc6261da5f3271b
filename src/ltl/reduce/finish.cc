#include "ltl/reduce/finish.h"

#include "ltl/graph/components.h"
#include "ltl/graph/guard.h"
#include "ltl/reduce/prune.h"
#include "xmc/bytes.h"

namespace xmc::ltl {

namespace {

constexpr const char* kName = "property automaton";

std::span<const std::string_view> copy_texts(std::span<const std::string_view> texts,
                                             Arena& arena) {
  const std::span<std::string_view> out = arena.carve_array<std::string_view>(kName, texts.size());
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const std::span<char> bytes = arena.carve_array<char>(kName, texts[i].size());
    copy(bytes, std::span<const char>(texts[i].data(), texts[i].size()));
    out[i] = {bytes.data(), bytes.size()};
  }
  return out;
}

// Edges and cubes in scratch, before their number is known.
struct Merged {
  std::span<Edge> edges;
  std::span<Cube> cubes;
  u32 edge_count = 0;
  u32 cube_count = 0;
};

// Arcs of a graph are sorted by source and target.
Merged merge_arcs(const Graph& graph, Arena& arena, Effort& effort) {
  Merged out{scratch_array<Edge>(arena, graph.arcs.size()),
             scratch_array<Cube>(arena, graph.arcs.size())};
  for (u32 at = 0; at < graph.arcs.size();) {
    const Arc& arc = graph.arcs[at];
    u32 count = 0;
    while (at < graph.arcs.size() && graph.arcs[at].source == arc.source &&
           graph.arcs[at].target == arc.target) {
      out.cubes[out.cube_count + count++] = graph.arcs[at++].cube;
    }
    count = merge_cubes(out.cubes.subspan(out.cube_count, count), effort);
    out.edges[out.edge_count++] = {arc.source, arc.target, out.cube_count, count};
    out.cube_count += count;
  }
  return out;
}

// Whether each accepting component takes every letter in each of its states without leaving.
bool is_terminal(const Graph& graph, const Components& components, Arena& arena, Effort& effort) {
  const std::span<Cube> cubes = scratch_array<Cube>(arena, graph.arcs.size());
  for (u32 s = 0; s < graph.states; ++s) {
    if (!components.accepting(graph, components.of[s])) continue;
    u32 count = 0;
    for (const Arc& arc : graph.arcs_of(s)) {
      if (components.inner(arc)) cubes[count++] = arc.cube;
    }
    if (!covered({}, cubes.first(count), effort)) return false;
  }
  return true;
}

bool is_weak(const Graph& graph, const Components& components) {
  for (const Arc& arc : graph.arcs) {
    const bool on_cycle = components.inner(arc);
    if (on_cycle && components.marks[components.of[arc.source]] != arc.marks) return false;
  }
  return true;
}

}  // namespace

Automaton finish_automaton(Graph& graph, std::span<const std::string_view> propositions,
                           Arena& arena, Effort& effort) {
  prune(graph, arena, true, Idle::without_marks);
  number_by_walk(graph, arena);
  const u64 mark = arena.scratch_mark();
  Automaton out;
  out.propositions = copy_texts(propositions, arena);
  const Components components = find_components(graph, arena);
  out.weak = is_weak(graph, components);
  out.terminal = out.weak && is_terminal(graph, components, arena, effort);
  const Merged merged = merge_arcs(graph, arena, effort);
  const std::span<u8> accepting = arena.carve_array<u8>(kName, graph.states);
  const std::span<u32> first = arena.carve_array<u32>(kName, graph.states + 1);
  const std::span<Edge> edges = arena.carve_array<Edge>(kName, merged.edge_count);
  const std::span<Cube> cubes = arena.carve_array<Cube>(kName, merged.cube_count);
  for (const Arc& arc : graph.arcs) accepting[arc.source] |= static_cast<u8>(arc.marks & 1);
  copy(edges, std::span<const Edge>(merged.edges.first(merged.edge_count)));
  copy(cubes, std::span<const Cube>(merged.cubes.first(merged.cube_count)));
  for (const Edge& edge : edges) ++first[edge.source + 1];
  for (u32 s = 0; s < graph.states; ++s) first[s + 1] += first[s];
  arena.scratch_release(mark);
  out.accepting = accepting;
  out.first_edge = first;
  out.edges = edges;
  out.cubes = cubes;
  return out;
}

}  // namespace xmc::ltl
