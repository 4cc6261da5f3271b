// Cycles of a small graph.
#pragma once

#include <vector>

#include "xmc/types.h"

namespace xmc::promela_test {

using Edges = std::vector<std::vector<u32>>;

// The strongly connected component of each node, and whether it has an edge inside (Tarjan, without
// recursion).
inline std::vector<u32> components(const Edges& edges) {
  const u32 count = static_cast<u32>(edges.size());
  std::vector<u32> number(count, kNone), low(count, 0), out(count, kNone), stack, nodes, at;
  u32 next = 0;
  u32 component = 0;
  for (u32 root = 0; root < count; ++root) {
    if (number[root] != kNone) continue;
    nodes.push_back(root);
    at.push_back(0);
    while (!nodes.empty()) {
      const u32 node = nodes.back();
      if (at.back() == 0) {
        number[node] = low[node] = next++;
        stack.push_back(node);
      }
      bool descends = false;
      while (at.back() < edges[node].size()) {
        const u32 to = edges[node][at.back()++];
        if (number[to] == kNone) {
          nodes.push_back(to);
          at.push_back(0);
          descends = true;
          break;
        }
        if (out[to] == kNone && number[to] < low[node]) low[node] = number[to];
      }
      if (descends) continue;
      if (low[node] == number[node]) {
        u32 member = kNone;
        do {
          member = stack.back();
          stack.pop_back();
          out[member] = component;
        } while (member != node);
        ++component;
      }
      nodes.pop_back();
      at.pop_back();
      if (!nodes.empty() && low[node] < low[nodes.back()]) low[nodes.back()] = low[node];
    }
  }
  return out;
}

inline bool has_cycle_through(const Edges& edges, const std::vector<bool>& marked) {
  const std::vector<u32> component = components(edges);
  for (u32 i = 0; i < edges.size(); ++i) {
    // A marked node with a way back to itself: its component has an edge that begins in it.
    if (!marked[i]) continue;
    for (const u32 to : edges[i]) {
      if (component[to] == component[i]) return true;
    }
  }
  return false;
}

// A cycle all of whose nodes are marked.
inline bool has_cycle_within(const Edges& edges, const std::vector<bool>& marked) {
  Edges inside(edges.size());
  for (u32 i = 0; i < edges.size(); ++i) {
    for (const u32 to : edges[i]) {
      if (marked[i] && marked[to]) inside[i].push_back(to);
    }
  }
  return has_cycle_through(inside, marked);
}

}  // namespace xmc::promela_test
