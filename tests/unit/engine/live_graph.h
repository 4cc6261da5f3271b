// A graph some of whose nodes have to stay reachable, and what that means by its definition.
#pragma once

#include <algorithm>
#include <vector>

#include "random_product.h"

namespace xmc_test {

struct LiveGraph {
  explicit LiveGraph(const Graph& g) : graph(g), where(g.size(), 0), count(1) {
    for (u32 v = 0; v < g.size(); v += 700) where[v] = 1;
  }
  explicit LiveGraph(u32 seed, u32 most_nodes) : graph(random_product(seed, most_nodes)) {
    Random random(seed);
    graph.buchi = false;
    graph.classes.clear();
    std::fill(graph.errors.begin(), graph.errors.end(), 0u);
    std::fill(graph.violated.begin(), graph.violated.end(), kNone);
    count = 1 + random() % 3;
    const u32 one_in = 1 + random() % 6;
    for (u32 v = 0; v < graph.size(); ++v) {
      // Many graphs have a way back, so that the answer is not always no.
      if (seed % 3 != 0 && graph.edges[v].empty()) graph.edges[v].push_back(random() % (v + 1));
      u32 bits = 0;
      for (u32 i = 0; i < count; ++i) bits |= random() % one_in == 0 ? u32{1} << i : 0;
      where.push_back(bits);
    }
  }

  Model model() {
    Model m = graph.model();
    self = {m.self, m.initial, m.expand};
    m.self = this;
    m.initial = [](void* live, const SuccessorBuffer& out) {
      const Inner& inner = static_cast<LiveGraph*>(live)->self;
      return inner.initial(inner.self, out);
    };
    m.expand = [](void* live, const Word* state, const SuccessorBuffer& out) {
      const Inner& inner = static_cast<LiveGraph*>(live)->self;
      return inner.expand(inner.self, state, out);
    };
    m.fork = nullptr;
    m.live = [](void* live, const Word* state) {
      const auto& g = *static_cast<LiveGraph*>(live);
      return g.where[g.graph.node(state)];
    };
    m.live_count = count;
    return m;
  }

  // Whether a node with the bit is reachable from this one.
  bool leads(u32 from, u32 bit) const {
    std::vector<u8> seen(graph.size());
    std::vector<u32> queue{from};
    seen[from] = 1;
    for (std::size_t head = 0; head < queue.size(); ++head) {
      if ((where[queue[head]] >> bit & 1) != 0) return true;
      for (const u32 t : graph.edges[queue[head]]) {
        if (seen[t] == 0) queue.push_back(t);
        seen[t] = 1;
      }
    }
    return false;
  }

  // The least level of a node that leads to no node with some bit; -1: there is none.
  int lost_level() const {
    const std::vector<int> level = naive_levels(graph);
    int least = -1;
    for (u32 v = 0; v < graph.size(); ++v) {
      if (level[v] < 0 || (least >= 0 && level[v] >= least)) continue;
      for (u32 i = 0; i < count; ++i) {
        if (!leads(v, i)) least = level[v];
      }
    }
    return least;
  }

  struct Inner {
    void* self;
    u32 (*initial)(void*, const SuccessorBuffer&);
    Expansion (*expand)(void*, const Word*, const SuccessorBuffer&);
  };
  Graph graph;
  std::vector<u32> where;
  u32 count = 0;
  Inner self{};
};

}  // namespace xmc_test
