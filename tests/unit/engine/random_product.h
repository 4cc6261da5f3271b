// Random Büchi products: some nodes accept, and some say that no accepting cycle goes through them.
#pragma once

#include "graph_models.h"

namespace xmc_test {

inline Graph random_product(u32 seed, u32 most_nodes) {
  Random random(seed);
  const u32 nodes = 1 + random() % most_nodes;
  Graph g = random_graph(seed, nodes, 1 + random() % 3, 1 + random() % 2);
  if (g.words == 2) g = random_graph(seed, nodes, 1 + random() % 3, 2, 16);
  g.buchi = true;
  const u32 one_in = 1 + random() % 8;
  for (u32 v = 0; v < nodes; ++v) g.accepting[v] = random() % one_in == 0 ? 1 : 0;
  // A part of the nodes that no accepting cycle goes through says so.
  const NaiveCycles cycles(g);
  for (u32 v = 0; v < nodes; ++v) {
    if (!cycles.on_cycle[v] && seed % 2 == 0) g.no_cycle[v] = random() % 3 != 0;
  }
  return g;
}

}  // namespace xmc_test
