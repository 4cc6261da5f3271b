// Shortest lassos against all pairs of nodes.
#include "engine/cycles/bits/gastin_moro.h"

#include "engine/cycles/bits/double_dfs.h"
#include "engine/cycles/bits/indexed_search.h"
#include "product_trial.h"
#include "random_product.h"

using namespace xmc;
using namespace xmc_test;

namespace gastin_moro_test {

namespace {

using Kind = IndexKind;

using Edges = std::vector<std::vector<u32>>;

// Steps from one node to every node, at least one; -1: no way.
std::vector<int> steps_from(const Edges& edges, u32 node) {
  std::vector<int> steps(edges.size(), -1);
  std::vector<u32> queue = {node};
  for (std::size_t head = 0; head < queue.size(); ++head) {
    const int next = head == 0 ? 1 : steps[queue[head]] + 1;
    for (const u32 t : edges[queue[head]]) {
      if (steps[t] >= 0) continue;
      steps[t] = next;
      queue.push_back(t);
    }
  }
  return steps;
}

// The least depth(t) + d(t, r) + d(r, t); 0: there is none.
u64 shortest_lasso(const Graph& g) {
  const std::vector<int> depth = naive_levels(g);
  Edges back(g.size());
  for (u32 v = 0; v < g.size(); ++v) {
    for (const u32 t : g.edges[v]) back[t].push_back(v);
  }
  u64 best = 0;
  for (u32 r = 0; r < g.size(); ++r) {
    if (g.accepting[r] == 0 || depth[r] < 0) continue;
    const std::vector<int> away = steps_from(g.edges, r);
    const std::vector<int> home = steps_from(back, r);
    for (u32 t = 0; t < g.size(); ++t) {
      if (home[t] < 0 || (t != r && away[t] < 0) || depth[t] < 0) continue;
      const int total = depth[t] + home[t] + (t == r ? 0 : away[t]);
      if (best == 0 || static_cast<u64>(total) < best) best = static_cast<u64>(total);
    }
  }
  return best;
}

void check_lasso(const Graph& g, const MinimalLasso& result) {
  std::vector<u32> nodes;
  bool accepting = false;
  for (u64 i = 0; i < result.length; ++i) {
    nodes.push_back(g.node(result.states + i * g.words));
    REQUIRE(nodes.back() != kNone);
    accepting = accepting || g.accepting[nodes.back()] != 0;
  }
  REQUIRE(accepting);
  REQUIRE(naive_levels(g)[nodes[0]] == static_cast<int>(result.prefix));
  nodes.push_back(nodes[0]);
  for (std::size_t i = 0; i + 1 < nodes.size(); ++i) {
    REQUIRE(std::count(g.edges[nodes[i]].begin(), g.edges[nodes[i]].end(), nodes[i + 1]) > 0);
  }
}

MinimalLasso search_lasso(ProductTrial& trial, Kind kind, u64 more_bytes) {
  IndexOptions options;
  options.kind = kind;
  const IndexResult made = trial.index(options);
  REQUIRE(made.index != nullptr);
  u64 deepest = 0;
  REQUIRE(level_of(trial.product, trial.product.states - 1, deepest).ok());
  const u64 least = gastin_moro_bytes(trial.product, *made.index, deepest);
  MinimalLasso result;
  const std::span<u8> memory = made.memory.first(static_cast<std::size_t>(least + more_bytes));
  const Status status = run_gastin_moro(trial.product, *made.index, memory, result);
  INFO(doctest::String(status.c_str()));
  REQUIRE(status.ok());
  REQUIRE(result.fits);
  REQUIRE(trial.hash.close(trial.disk.folder, false).ok());
  return result;
}

}  // namespace

TEST_CASE("searches from all accepting states find a shortest lasso") {
  u32 found = 0;
  u32 without = 0;
  u32 off_seed = 0;
  const u32 all = rounds(2200);
  for (u32 seed = 1; seed <= all; ++seed) {
    CAPTURE(seed);
    Graph g = random_product(seed, 40);
    ProductTrial trial(g, 2 << 20);
    const MinimalLasso result =
        search_lasso(trial, seed % 3 == 0 ? Kind::phf : Kind::rank, seed % 4 * 30000);
    const u64 expected = shortest_lasso(g);
    REQUIRE(result.found == (expected != 0));
    (result.found ? found : without) += 1;
    if (!result.found) continue;
    REQUIRE(result.prefix + result.length == expected);
    check_lasso(g, result);
    if (g.accepting[g.node(result.states)] == 0) ++off_seed;
  }
  REQUIRE(found > all / 5);
  REQUIRE(without > all / 5);
  REQUIRE(off_seed > 10);
}

TEST_CASE("with all the memory there is, and an index by choice") {
  for (u32 seed = 1; seed <= rounds(60); ++seed) {
    CAPTURE(seed);
    Graph g = random_product(seed, 300);
    ProductTrial trial(g, 2 << 20);
    MinimalLasso result;
    IndexOptions options;
    options.kind = seed % 3 == 0 ? Kind::phf : Kind::automatic;
    u64 index_bytes = 0;
    REQUIRE(find_minimal_lasso(trial.product, options, trial.rank, trial.hash, result, index_bytes)
                .ok());
    REQUIRE(result.fits);
    REQUIRE(result.found == (shortest_lasso(g) != 0));
    if (!result.found) continue;
    REQUIRE(result.prefix + result.length == shortest_lasso(g));
    check_lasso(g, result);
  }
}

TEST_CASE("large balls are taken in parts, and their bits are cleared as a whole") {
  u64 passes = 0;
  u64 searches = 0;
  for (u32 seed = 1; seed <= rounds(12); ++seed) {
    CAPTURE(seed);
    Random random(seed);
    // Layers, the last one with steps to the first or, some, in the middle: all cycles are long.
    const u32 layers = 8 + random() % 20;
    const u32 width = 100 + random() % 700;
    Graph g(layers * width, 2, 16);
    g.buchi = true;
    for (u32 v = 0; v < g.size(); ++v) {
      const u32 layer = v / width;
      for (u32 i = 0; i < 3; ++i) {
        const u32 next = layer + 1 < layers ? layer + 1 : random() % 3 == 0 ? layers / 3 : 0;
        g.edges[v].push_back(next * width + random() % width);
      }
    }
    for (u32 i = 0; i < 8; ++i) g.accepting[random() % g.size()] = 1;
    g.initial = {0};
    ProductTrial trial(g, 32 << 20);
    const MinimalLasso result = search_lasso(trial, seed % 3 == 0 ? Kind::phf : Kind::rank, 0);
    REQUIRE(result.found);
    REQUIRE(result.prefix + result.length == shortest_lasso(g));
    check_lasso(g, result);
    passes += result.passes;
    searches += result.searches;
  }
  REQUIRE(passes > searches);
}

}  // namespace gastin_moro_test
