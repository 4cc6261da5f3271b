// A graph as a finished set of states in a queue file: what searches for accepting cycles get.
#pragma once

#include <doctest/doctest.h>

#include <memory>
#include <vector>

#include "engine/cycles/index/make_index.h"
#include "engine/cycles/index/phf_index.h"
#include "engine/cycles/index/rank_index.h"
#include "engine/search/file_names.h"
#include "engine/search/product.h"
#include "flash_trial.h"
#include "graph_models.h"

namespace xmc_test {

struct ProductTrial {
  // With `levels`, the product has the states of the first ones only, and those of the last one
  // are not expanded.
  ProductTrial(Graph& graph, u64 memory_bytes, u64 levels = ~u64{0})
      : g(graph),
        disk(std::size_t{16} << 20),
        buffers(6 * KeyFile::kSlotBytes),
        memory(static_cast<std::size_t>(memory_bytes)),
        search(std::make_unique<Search>()) {
    search->model = g.model();
    search->control = &control;
    search->outcome = &outcome;
    outcome.stats.expansions = outcome.stats.transitions = 0;
    search->buffer_states = Search::buffer_states_for(search->model);
    successors.resize(std::size_t{search->buffer_states} * g.words);
    search->buffer = successors.data();
    const Result<Device*> device = disk.folder.open(kQueueFile, Folder::Open::create);
    REQUIRE(device.ok());
    queue.start(device.value(), kQueueFile, Purpose::queue, g.words, slots(0, 2));
    level = naive_levels(g);
    order = by_level(levels);
    for (u32 v : order) {
      const u64 depth = static_cast<u64>(level[v]);
      REQUIRE(queue.append(g.state_of[v].data(), depth).ok());
      if (depth + 1 < levels) ++product.expanded;
    }
    product.search = search.get();
    product.queue = &queue;
    product.states = queue.keys();
    product.folder = &disk.folder;
    product.read_buffer = slots(2, graph.size() % 2 == 0 ? 2 : 1);
    product.scan_buffer = slots(4, 1);
    product.memory = memory.memory;
  }

  std::span<u8> slots(u32 first, u32 count) {
    return buffers.memory.subspan(first * KeyFile::kSlotBytes, count * KeyFile::kSlotBytes);
  }
  std::vector<u32> by_level(u64 levels) const {
    std::vector<u32> nodes;
    for (u32 v = 0; v < g.size(); ++v) {
      if (level[v] >= 0 && static_cast<u64>(level[v]) < levels) nodes.push_back(v);
    }
    std::stable_sort(nodes.begin(), nodes.end(), [&](u32 a, u32 b) { return level[a] < level[b]; });
    return nodes;
  }
  IndexResult index(const IndexOptions& options, u64 reserve = 0) {
    IndexResult result;
    const Status status = make_index(product, options, reserve, rank, hash, result);
    INFO(doctest::String(status.c_str()));
    REQUIRE(status.ok());
    return result;
  }

  Graph& g;
  Disk disk;
  Region buffers;
  Region memory;
  std::unique_ptr<Search> search;
  std::vector<Word> successors;
  RunControl control;
  SearchOutcome outcome;
  KeyFile queue;
  std::vector<int> level;
  std::vector<u32> order;  // nodes as in the queue
  RankIndex rank;
  PhfIndex hash;
  Product product;
};

}  // namespace xmc_test
