// Hand-made models for the tests of engines, and naive searches that they are compared with.
#pragma once

#include <algorithm>
#include <set>
#include <vector>

#include "trial.h"
#include "xmc/arena.h"
#include "xmc/engine.h"
#include "xmc/model.h"

namespace xmc_test {

using namespace xmc;

// An explicit graph. Node v is the state with v spread over `words` words (scrambled, so that every
// byte carries information, except that only `bytes` bytes are used).
struct Graph {
  u32 words = 1;
  u32 bytes = 8;
  std::vector<std::vector<u32>> edges;
  std::vector<u32> initial{0};
  std::vector<u8> accepting;
  std::vector<u32> classes;   // Model::cycle_class of each node; empty: the model has none
  std::vector<u32> violated;  // predicate per node, kNone for none
  std::vector<u32> errors;    // erroneous steps per node
  bool buchi = false;
  std::vector<std::vector<Word>> state_of;

  explicit Graph(u32 nodes, u32 state_words = 1, u32 state_bytes = 8)
      : words(state_words), bytes(state_bytes) {
    edges.resize(nodes);
    accepting.assign(nodes, 0);
    violated.assign(nodes, kNone);
    errors.assign(nodes, 0);
    for (u32 v = 0; v < nodes; ++v) {
      std::vector<Word> s(words);
      for (u32 w = 0; w < words; ++w) s[w] = (u64{v} + 1) * 0x9E37'79B9'7F4A'7C15u * (2 * w + 1);
      const u32 last_bytes = bytes - 8 * (words - 1);
      if (last_bytes < 8) s[words - 1] &= (u64{1} << (8 * last_bytes)) - 1;
      if (bytes <= 2) s[0] = v;
      state_of.push_back(s);
    }
    number_states();
  }

  // To be called where `state_of` was changed. False: two nodes have the same state.
  bool number_states() {
    std::size_t slots = 4;
    while (slots < 2 * state_of.size()) slots *= 2;
    node_at.assign(slots, kNone);
    bool distinct = true;
    for (u32 v = 0; v < size(); ++v) {
      u32& at = node_at[slot(state_of[v].data())];
      if (at == kNone) at = v;
      distinct = distinct && at == v;
    }
    return distinct;
  }

  u32 size() const { return static_cast<u32>(edges.size()); }
  void put(u32 node, Word* out) const {
    const Word* const state = state_of[node].data();
    for (u32 w = 0; w < words; ++w) out[w] = state[w];
  }
  u32 node(const Word* state) const { return node_at[slot(state)]; }

  Model model() {
    Model m;
    m.state_words = words;
    m.state_bytes = bytes;
    m.state_bits = bytes * 8;
    m.max_successors = 1;
    for (const auto& out : edges)
      m.max_successors = std::max(m.max_successors, static_cast<u32>(out.size()));
    m.predicate_count = 4;
    m.buchi = buchi;
    m.self = this;
    m.initial = [](void* self, const SuccessorBuffer& out) {
      auto& g = *static_cast<Graph*>(self);
      for (std::size_t i = 0; i < g.initial.size(); ++i)
        g.put(g.initial[i], out.states + i * g.words);
      return static_cast<u32>(g.initial.size());
    };
    m.expand = [](void* self, const Word* state, const SuccessorBuffer& out) {
      auto& g = *static_cast<Graph*>(self);
      const u32 v = g.node(state);
      Expansion e;
      for (u32 t : g.edges[v]) g.put(t, out.states + std::size_t{e.count++} * g.words);
      e.errors = g.errors[v];
      if (e.errors > 0) e.error_label = 1000 + v;
      e.violated = g.violated[v];
      if (g.edges[v].empty() && e.errors == 0) e.flags |= kDeadlock;
      if (g.accepting[v] != 0) e.flags |= kAccepting;
      return e;
    };
    if (!classes.empty()) {
      m.cycle_class = [](const void* self, const Word* state) {
        const auto& g = *static_cast<const Graph*>(self);
        return g.classes[g.node(state)];
      };
    }
    // Expanding only reads.
    m.fork = [](const void* self, Arena&) { return const_cast<void*>(self); };
    return m;
  }

 private:
  // Where the state is in the table, or the empty place where it would be. Every step of every
  // search comes here, in sanitized and emulated builds too: hence no std::map.
  std::size_t slot(const Word* state) const {
    const u32* const table = node_at.data();
    const std::size_t last = node_at.size() - 1;
    u64 hash = 0;
    for (u32 w = 0; w < words; ++w) hash = (hash ^ state[w]) * 0xD6E8'FEB8'6659'FD93u;
    for (std::size_t at = static_cast<std::size_t>(hash >> 32) & last;; at = (at + 1) & last) {
      if (table[at] == kNone) return at;
      const Word* const other = state_of[table[at]].data();
      u32 w = 0;
      while (w < words && other[w] == state[w]) ++w;
      if (w == words) return at;
    }
  }

  std::vector<u32> node_at;  // an open hash table of the nodes
};

// Levels of the nodes by a plain breadth-first search; -1 for nodes that are not reached.
inline std::vector<int> naive_levels(const Graph& g) {
  std::vector<int> level(g.size(), -1);
  std::vector<u32> queue;
  for (u32 v : g.initial) {
    if (level[v] < 0) {
      level[v] = 0;
      queue.push_back(v);
    }
  }
  for (std::size_t head = 0; head < queue.size(); ++head) {
    for (u32 t : g.edges[queue[head]]) {
      if (level[t] >= 0) continue;
      level[t] = level[queue[head]] + 1;
      queue.push_back(t);
    }
  }
  return level;
}

struct NaiveFigures {
  u64 states = 0, transitions = 0, levels = 0, deadlocks = 0, accepting = 0, error_steps = 0;
};

inline NaiveFigures naive_figures(const Graph& g) {
  NaiveFigures f;
  const std::vector<int> level = naive_levels(g);
  for (u32 v = 0; v < g.size(); ++v) {
    if (level[v] < 0) continue;
    ++f.states;
    f.transitions += g.edges[v].size();
    f.levels = std::max<u64>(f.levels, static_cast<u64>(level[v]) + 1);
    f.deadlocks += g.edges[v].empty() && g.errors[v] == 0;
    f.accepting += g.accepting[v] != 0;
    f.error_steps += g.errors[v];
  }
  return f;
}

// Is there a reachable accepting node that reaches itself? By strongly connected components
// (Tarjan).
struct NaiveCycles {
  const Graph& g;
  std::vector<int> number, low;
  std::vector<bool> on_stack;
  std::vector<u32> stack;
  int counter = 0;
  bool found = false;
  std::vector<bool> on_cycle;  // an accepting one

  explicit NaiveCycles(const Graph& graph)
      : g(graph),
        number(graph.size(), -1),
        low(graph.size(), 0),
        on_stack(graph.size(), false),
        on_cycle(graph.size(), false) {
    for (u32 v : g.initial) {
      if (number[v] < 0) visit(v);
    }
  }

  // Paths may be as long as the graph is large: they are data and not calls.
  void visit(u32 root) {
    struct Frame {
      u32 node;
      std::size_t next;  // of its edges
    };
    std::vector<Frame> path;
    const auto enter = [&](u32 v) {
      number[v] = low[v] = counter++;
      stack.push_back(v);
      on_stack[v] = true;
      path.push_back({v, 0});
    };
    enter(root);
    while (!path.empty()) {
      const u32 v = path.back().node;
      if (path.back().next < g.edges[v].size()) {
        const u32 t = g.edges[v][path.back().next++];
        if (number[t] < 0) {
          enter(t);
        } else if (on_stack[t]) {
          low[v] = std::min(low[v], number[t]);
        }
        continue;
      }
      path.pop_back();
      if (!path.empty()) low[path.back().node] = std::min(low[path.back().node], low[v]);
      if (low[v] == number[v]) close(v);
    }
  }

  // The component whose first node is v.
  void close(u32 v) {
    std::vector<u32> members;
    bool accepts = false;
    for (u32 t = kNone; t != v;) {
      t = stack.back();
      stack.pop_back();
      on_stack[t] = false;
      members.push_back(t);
      accepts = accepts || g.accepting[t] != 0;
    }
    const std::vector<u32>& edges = g.edges[v];
    const bool self_loop = std::find(edges.begin(), edges.end(), v) != edges.end();
    if (!accepts || (members.size() == 1 && !self_loop)) return;
    found = true;
    for (const u32 t : members) on_cycle[t] = true;
  }
};

inline Graph random_graph(u32 seed, u32 nodes, u32 most_edges, u32 words = 1, u32 bytes = 8) {
  Random random(seed);
  Graph g(nodes, words, bytes);
  for (u32 v = 0; v < nodes; ++v) {
    const u32 count = random() % (most_edges + 1);
    for (u32 i = 0; i < count; ++i) g.edges[v].push_back(random() % nodes);
  }
  const u32 roots = 1 + random() % 3;
  for (u32 i = 1; i < roots; ++i) g.initial.push_back(random() % nodes);
  return g;
}

inline std::vector<u32> engine_path(Engine& engine, const Graph& g, const SearchOutcome& outcome) {
  std::vector<u32> path;
  std::vector<Word> state(g.words);
  for (u64 i = 0; i <= outcome.prefix_steps + outcome.cycle_steps; ++i) {
    engine.path_state(i, state.data());
    path.push_back(g.node(state.data()));
  }
  return path;
}

inline bool valid_path(const Graph& g, const std::vector<u32>& path) {
  if (path.empty() || std::count(g.initial.begin(), g.initial.end(), path[0]) == 0) return false;
  for (std::size_t i = 1; i < path.size(); ++i) {
    const auto& out = g.edges[path[i - 1]];
    if (std::count(out.begin(), out.end(), path[i]) == 0) return false;
  }
  return true;
}

}  // namespace xmc_test
