// Families of graphs, each of which breaks an engine that does its bookkeeping naively: see the
// comments.
#pragma once

#include <algorithm>

#include "graph_models.h"

namespace xmc_test {

// A long, thin graph with edges that lead back by several lengths, and some into the first states:
// a state may be met again at any age. Engines that delay or forget (local, cached, serial, dddd)
// expand such states twice and have to get levels and transitions right in spite of it.
inline Graph back_edges(u32 seed, u32 nodes) {
  Random random(seed);
  Graph g(nodes, 1 + seed % 3, 8 * (seed % 3) + 3 + seed % 6);
  const u32 width = 20 + random() % 200;
  const u32 lengths[3] = {random() % nodes, random() % 500, random() % 50};
  for (u32 v = 0; v < nodes; ++v) {
    const u32 count = random() % 4;
    for (u32 i = 0; i < count; ++i) {
      if (random() % 4 != 0) {
        g.edges[v].push_back(std::min(nodes - 1, v + 1 + random() % width));
      } else {
        const u32 back = lengths[random() % 3];
        g.edges[v].push_back(back <= v ? v - back : random() % 10);
      }
    }
    if (v + 1 < nodes) g.edges[v].push_back(v + 1);
  }
  return g;
}

// Wide levels with many repeats inside a level and to the level before.
inline Graph wide(u32 seed, u32 nodes) {
  Random random(seed * 7 + 1);
  Graph g(nodes, 1, 8);
  const u32 width = nodes / (3 + random() % 10) + 1;
  for (u32 v = 0; v < nodes; ++v) {
    const u32 count = 1 + random() % 6;
    for (u32 i = 0; i < count; ++i) {
      const u32 to = v / width * width + random() % (2 * width);
      g.edges[v].push_back(std::min(nodes - 1, to));
    }
    if (random() % 30 == 0) g.edges[v].clear();
  }
  return g;
}

// Two ways to the same states, one of them longer: the late occurrence must not get the level.
inline Graph late_twins(u32 seed, u32 nodes) {
  Random random(seed * 13 + 5);
  nodes = nodes / 5 + 2;  // thousands of levels are slow by nature for mono and hddd
  Graph g(nodes, 1, 8);
  const u32 half = nodes / 2;
  for (u32 v = 0; v + 1 < half; ++v) g.edges[v] = {v + 1};
  for (u32 v = half; v + 1 < nodes; ++v) {
    g.edges[v] = {v + 1};
    // From the slow chain into the fast one, far behind.
    if (random() % 5 == 0) g.edges[v].push_back(random() % (v - half + 1));
  }
  g.edges[0].push_back(half);
  return g;
}

// Steps lead on, so that there are no cycles, but for one step back if that is wanted.
inline Graph layered(u32 seed, u32 nodes, bool cycle) {
  Random random(seed);
  Graph g(nodes, 1 + seed % 3, 8 * (1 + seed % 3));
  g.buchi = true;
  for (u32 v = 0; v + 1 < nodes; ++v) {
    g.edges[v].push_back(v + 1 + random() % std::min(3u, nodes - 1 - v));
    for (u32 i = random() % 3; i > 0; --i) {
      g.edges[v].push_back(v + 1 + random() % std::min(500u, nodes - 1 - v));
    }
    g.accepting[v] = random() % (seed % 4 == 0 ? 2 : 16) == 0 ? 1 : 0;
  }
  if (seed % 2 == 0) g.classes.assign(nodes, 1);
  if (!cycle) return g;
  const std::vector<int> level = naive_levels(g);
  u32 from = nodes - 1;
  while (level[from] < 0) --from;
  u32 to = from / 2;
  while (level[to] < 0) ++to;
  g.accepting[to] = 1;
  g.edges[from].push_back(to);
  return g;
}

// The same with many cycles that do not accept, each within some dozens of nodes; if one is wanted,
// one of the last of them does.
inline Graph looped(u32 seed, u32 nodes, bool cycle) {
  constexpr u32 kBlock = 60;
  Graph g = layered(seed, nodes, false);
  Random random(seed + 1);
  for (u32 v = 0; v < nodes; ++v) {
    const u32 inside = v % kBlock;
    if (inside > kBlock / 2 && random() % 2 == 0) {
      g.edges[v].push_back(v - random() % (inside - kBlock / 2));
    }
  }
  Graph all = g;
  std::fill(all.accepting.begin(), all.accepting.end(), u8{1});
  const NaiveCycles cycles(all);
  for (u32 v = 0; v < nodes; ++v) {
    if (cycles.on_cycle[v]) g.accepting[v] = 0;
  }
  for (u32 v = nodes; cycle && v-- > 0;) {
    if (!cycles.on_cycle[v]) continue;
    g.accepting[v] = 1;
    break;
  }
  return g;
}

}  // namespace xmc_test
