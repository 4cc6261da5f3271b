// Random Büchi products and their lassos: some nodes accept, and some say that no accepting cycle
// goes through them.
#pragma once

#include "graph_models.h"

namespace xmc_test {

inline Graph random_product(u32 seed, u32 most_nodes) {
  Random random(seed);
  const u32 nodes = 1 + random() % most_nodes;
  // One after the other: compilers differ in which argument of a call they compute first.
  const u32 most_edges = 1 + random() % 3;
  const u32 words = 1 + random() % 2;
  Graph g = random_graph(seed, nodes, most_edges, words);
  if (g.words == 2) g = random_graph(seed, nodes, 1 + random() % 3, 2, 16);
  g.buchi = true;
  const u32 one_in = 1 + random() % 8;
  for (u32 v = 0; v < nodes; ++v) g.accepting[v] = random() % one_in == 0 ? 1 : 0;
  // A part of the nodes that no accepting cycle goes through says so.
  const NaiveCycles cycles(g);
  if (seed % 2 == 0) g.classes.assign(nodes, 1);
  for (u32 v = 0; v < nodes && seed % 2 == 0; ++v) {
    if (!cycles.on_cycle[v] && random() % 3 != 0) g.classes[v] = 0;
  }
  return g;
}

inline constexpr u64 kFar = ~u64{0} / 8;

// Steps from each node to each other, at least one.
inline std::vector<std::vector<u64>> naive_steps(const Graph& g) {
  std::vector<std::vector<u64>> steps(g.size(), std::vector<u64>(g.size(), kFar));
  for (u32 from = 0; from < g.size(); ++from) {
    std::vector<u32> queue{from};
    for (std::size_t head = 0; head < queue.size(); ++head) {
      const u32 v = queue[head];
      const u64 next = head == 0 ? 1 : steps[from][v] + 1;
      for (const u32 w : g.edges[v]) {
        if (steps[from][w] != kFar) continue;
        steps[from][w] = next;
        if (w != from) queue.push_back(w);
      }
    }
  }
  return steps;
}

// The length of a shortest lasso by its definition: kFar if there is none.
inline u64 naive_lasso(const Graph& g) {
  const std::vector<int> level = naive_levels(g);
  const std::vector<std::vector<u64>> steps = naive_steps(g);
  u64 best = kFar;
  for (u32 r = 0; r < g.size(); ++r) {
    if (g.accepting[r] == 0 || level[r] < 0) continue;
    for (u32 t = 0; t < g.size(); ++t) {
      if (level[t] < 0) continue;
      const u64 cycle = t == r ? steps[r][r] : steps[t][r] + steps[r][t];
      best = std::min(best, static_cast<u64>(level[t]) + cycle);
    }
  }
  return best;
}

}  // namespace xmc_test
