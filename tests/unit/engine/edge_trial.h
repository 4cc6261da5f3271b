// Products made of graphs, as a breadth-first search leaves them: states by level in a queue file,
// in any order inside a level.
#pragma once

#include <doctest/doctest.h>

#include <numeric>

#include "engine/cycles/edges/edge_builder.h"
#include "flash_trial.h"

namespace xmc_test {

// Strongly connected components, by reachability both ways: small graphs only.
inline std::vector<u32> naive_components(const Graph& g) {
  const u32 n = g.size();
  std::vector<std::vector<bool>> reach(n, std::vector<bool>(n, false));
  for (u32 v = 0; v < n; ++v) {
    std::vector<u32> queue{v};
    reach[v][v] = true;
    for (std::size_t head = 0; head < queue.size(); ++head) {
      for (const u32 w : g.edges[queue[head]]) {
        if (reach[v][w]) continue;
        reach[v][w] = true;
        queue.push_back(w);
      }
    }
  }
  std::vector<u32> component(n);
  for (u32 v = 0; v < n; ++v) {
    u32 w = 0;
    while (!reach[v][w] || !reach[w][v]) ++w;
    component[v] = w;
  }
  return component;
}

// Classes of the nodes of a graph; the states are looked up in it.
struct NodeClasses {
  const Graph* graph = nullptr;
  std::vector<u32> of_node;
};

// Stops what polls it at the poll number `at`.
struct Stopper {
  u32 polls = 0;
  u32 at = 0;

  // It has to stay where it is while the control is used.
  void take(RunControl& control) {
    control.self = this;
    control.poll = [](void* self, const Progress&) {
      auto& stopper = *static_cast<Stopper*>(self);
      return ++stopper.polls == stopper.at ? StopReason::signal : StopReason::none;
    };
  }
};

struct EdgeTrial {
  EdgeTrial(Graph& graph, u32 seed, std::size_t memory_bytes)
      : g(graph),
        disk(32 << 20),
        buffers(6 * KeyFile::kSlotBytes),
        memory(memory_bytes),
        file_memory(2 * EdgeFile::kBlockBytes),
        seek_points(64) {
    order_states(seed);
    const Model model = g.model();
    search.model = model;
    search.buffer_states = Search::buffer_states_for(model);
    successors.resize(std::size_t{search.buffer_states} * model.state_words);
    search.buffer = successors.data();
    search.control = &control;
    search.outcome = &outcome;
    outcome.stats.expansions = 0;
    Result<Device*> device = disk.folder.open("queue", Folder::Open::create);
    REQUIRE(device.ok());
    queue.start(device.value(), "queue", Purpose::queue, g.words, slots(0, 1));
    for (const u32 v : by_number) {
      REQUIRE(queue.append(g.state_of[v].data(), static_cast<u64>(level[v])).ok());
      if (seed % 7 == 0 && v % 50 == 3) REQUIRE(queue.flush().ok());
    }
    device = disk.folder.open("edges", Folder::Open::create);
    REQUIRE(device.ok());
    edges.start(device.value(), "edges", file_memory.memory, seek_points);
    product.search = &search;
    product.queue = &queue;
    product.states = product.expanded = by_number.size();
    product.folder = &disk.folder;
    product.read_buffer = slots(1, 2);
    product.scan_buffer = slots(3, 1);
    product.memory = memory.memory;
  }
  std::span<u8> slots(u32 first, u32 count) {
    return buffers.memory.subspan(first * KeyFile::kSlotBytes, count * KeyFile::kSlotBytes);
  }
  // The first number behind this level.
  u64 level_end(u64 wanted) const {
    u64 end = 0;
    while (end < by_number.size() && static_cast<u64>(level[by_number[end]]) <= wanted) ++end;
    return end;
  }
  u64 last_level() const { return static_cast<u64>(level[by_number.back()]); }

  Status build(const NodeClasses& classes, u64 end) {
    WorkPoll poll(product);
    g.classes = classes.of_node;
    search.model = g.model();
    builder.start(product, edges, memory.memory, poll);
    return builder.build(end);
  }
  // The record of each state as it should be.
  void check_edges(const NodeClasses& classes, u64 end) {
    REQUIRE(edges.states() == end);
    EdgeReader reader;
    reader.start(edges, slots(1, 2));
    for (u64 s = 0; s < end; ++s) {
      const u32 v = by_number[s];
      std::set<u64> wanted;
      for (const u32 w : g.edges[v]) {
        if (classes.of_node[w] == classes.of_node[v] && classes.of_node[v] != 0) {
          wanted.insert(number[w]);
        }
      }
      std::set<u64> found;
      CAPTURE(s);
      REQUIRE(reader
                  .read(s,
                        [&](const EdgeGroup::Record& record, std::span<const u64> targets) {
                          found.insert(targets.begin(), targets.end());
                          CHECK(record.accepting == (g.accepting[v] != 0));
                          CHECK(record.level == static_cast<u64>(level[v]));
                        })
                  .ok());
      REQUIRE(found == wanted);
      u64 here = 0;
      REQUIRE(reader.level_of(s, here).ok());
      REQUIRE(here == static_cast<u64>(level[v]));
    }
  }

  Graph& g;
  std::vector<int> level;
  std::vector<u32> by_number;
  std::vector<u64> number;
  Disk disk;
  Region buffers, memory, file_memory;
  std::vector<EdgeFile::SeekPoint> seek_points;
  std::vector<Word> successors;
  Search search;
  RunControl control;
  SearchOutcome outcome;
  KeyFile queue;
  EdgeFile edges;
  Product product;
  EdgeBuilder builder;

 private:
  void order_states(u32 seed) {
    level = naive_levels(g);
    std::vector<u32> shuffled(g.size());
    std::iota(shuffled.begin(), shuffled.end(), 0u);
    Random random(seed);
    for (u32 i = g.size(); i-- > 1;) std::swap(shuffled[i], shuffled[random() % (i + 1)]);
    std::stable_sort(shuffled.begin(), shuffled.end(),
                     [&](u32 a, u32 b) { return level[a] < level[b]; });
    number.assign(g.size(), ~u64{0});
    for (const u32 v : shuffled) {
      if (level[v] < 0) continue;
      number[v] = by_number.size();
      by_number.push_back(v);
    }
  }
};

}  // namespace xmc_test
