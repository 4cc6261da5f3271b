// Accepting cycles with one bit per state, against strongly connected components.
#include "engine/cycles/bits/double_dfs.h"

#include "engine/cycles/bits/iddfs.h"

#include "product_trial.h"
#include "random_product.h"
#include "store/tables/state_bits.h"

using namespace xmc;
using namespace xmc_test;

namespace double_dfs_test {

namespace {

using Kind = IndexKind;

// The subgraph of what is expanded.
Graph prefix_of(const Graph& g, const std::vector<int>& level, int levels) {
  Graph p = g;
  for (u32 v = 0; v < g.size(); ++v) {
    if (level[v] < 0 || level[v] + 1 >= levels) p.edges[v].clear();
  }
  return p;
}

u64 shortest_cycle(const Graph& g, u32 seed) {
  Graph around = g;
  around.initial = g.edges[seed];
  const std::vector<int> level = naive_levels(around);
  return level[seed] < 0 ? 0 : static_cast<u64>(level[seed]) + 1;
}

void check_cycle(const Graph& g, const CycleResult& result) {
  REQUIRE(result.length > 0);
  std::vector<u32> nodes;
  for (u64 i = 0; i < result.length; ++i) {
    nodes.push_back(g.node(result.states + i * g.words));
    REQUIRE(nodes.back() != kNone);
  }
  REQUIRE(g.accepting[nodes[0]] != 0);
  REQUIRE(naive_levels(g)[nodes[0]] >= 0);
  nodes.push_back(nodes[0]);
  for (std::size_t i = 0; i + 1 < nodes.size(); ++i) {
    REQUIRE(std::count(g.edges[nodes[i]].begin(), g.edges[nodes[i]].end(), nodes[i + 1]) > 0);
  }
  REQUIRE(result.length == shortest_cycle(g, nodes[0]));
}

// In as little memory as it takes, and `more` bytes.
CycleResult search_cycles(ProductTrial& trial, const IndexOptions& options, u64 more = 0) {
  const Model& model = trial.search->model;
  const u64 states = options.kind == Kind::rank ? trial.product.expanded : trial.product.states;
  const u64 least = double_dfs_bytes(model, states);
  const IndexResult made = trial.index(options, least - StateBits::bytes_for(states));
  REQUIRE(made.index != nullptr);
  CycleResult result;
  const Status status =
      run_double_dfs(trial.product, *made.index,
                     made.memory.first(static_cast<std::size_t>(least + more)), result);
  INFO(doctest::String(status.c_str()));
  REQUIRE(status.ok());
  REQUIRE(trial.hash.close(trial.disk.folder, false).ok());
  return result;
}

}  // namespace

TEST_CASE("a double search finds an accepting cycle if there is one") {
  u32 found = 0;
  u32 without = 0;
  const u32 all = rounds(2400);
  for (u32 seed = 1; seed <= all; ++seed) {
    CAPTURE(seed);
    Graph g = random_product(seed, seed % 10 == 0 ? 400 : 40);
    const bool expected = NaiveCycles(g).found;
    IndexOptions options;
    options.kind = seed % 4 == 3 ? Kind::phf : Kind::rank;
    ProductTrial trial(g, 1 << 20);
    const CycleResult result = search_cycles(trial, options);
    REQUIRE(result.fits);
    REQUIRE(result.found == expected);
    if (result.found) check_cycle(g, result);
    (result.found ? found : without) += 1;
  }
  REQUIRE(found > all / 5);
  REQUIRE(without > all / 5);
}

TEST_CASE("of the first levels, the cycles among expanded states are found, and no others") {
  u32 found = 0;
  u32 without = 0;
  const u32 all = rounds(1200);
  for (u32 seed = 1; seed <= all; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    Graph g = random_product(seed, seed % 10 == 0 ? 400 : 40);
    const std::vector<int> level = naive_levels(g);
    const int levels = 1 + static_cast<int>(random() % 6);
    const Graph prefix = prefix_of(g, level, levels);
    IndexOptions options;
    options.kind = seed % 2 == 0 ? Kind::phf : Kind::rank;
    options.fingerprint_bits = seed % 4 == 0 ? 8 : 0;
    ProductTrial trial(g, 1 << 20, static_cast<u64>(levels));
    if (trial.product.expanded == 0) continue;
    const CycleResult result = search_cycles(trial, options);
    REQUIRE(result.found == NaiveCycles(prefix).found);
    if (result.found) check_cycle(prefix, result);
    (result.found ? found : without) += 1;
  }
  REQUIRE(found > all / 10);
  REQUIRE(without > all / 10);
}

TEST_CASE("a search on the fly: cycles show up with the levels that have them") {
  for (u32 seed = 1; seed <= rounds(150); ++seed) {
    CAPTURE(seed);
    Graph g = random_product(seed, 60);
    const std::vector<int> level = naive_levels(g);
    const u64 deepest = static_cast<u64>(*std::max_element(level.begin(), level.end()));
    bool found = false;
    for (u64 levels = 1; levels <= deepest + 2 && !found; ++levels) {
      IndexOptions options;
      options.kind = seed % 2 == 0 ? Kind::phf : Kind::automatic;
      options.fingerprint_bits = 8;
      ProductTrial trial(g, 1 << 20, levels);
      CycleResult result;
      REQUIRE(check_prefix(trial.product, options, trial.rank, trial.hash, result).ok());
      REQUIRE(result.fits);
      found = result.found;
      const Graph prefix = prefix_of(g, level, static_cast<int>(levels));
      REQUIRE(found == NaiveCycles(prefix).found);
      if (found) check_cycle(prefix, result);
    }
    REQUIRE(found == NaiveCycles(g).found);
  }
}

TEST_CASE("a deep search goes to flash, and so does a wide wave") {
  // A long chain with side steps, and an accepting cycle at its end.
  const u32 nodes = 30000;
  Graph g(nodes, 3, 24);
  g.buchi = true;
  for (u32 v = 0; v + 1 < nodes; ++v) {
    g.edges[v].push_back(v + 1);
    g.edges[v].push_back(std::min(v + 2, nodes - 1));
  }
  g.edges[nodes - 1].push_back(nodes - 3000);
  g.accepting[nodes - 5] = 1;
  g.accepting[10] = 1;
  for (const Kind kind : {Kind::rank, Kind::phf}) {
    IndexOptions options;
    options.kind = kind;
    ProductTrial trial(g, 64 << 20);
    const CycleResult result = search_cycles(trial, options);
    REQUIRE(result.found);
    REQUIRE(result.stack_spills > 0);
    check_cycle(g, result);
  }
}

TEST_CASE("after a wave that goes to flash the next seed has its turn") {
  // An accepting state with a long chain behind it comes first in post-order, in vain; the one
  // before it is on a cycle.
  const u32 nodes = 60000;
  Graph g(nodes, 3, 24);
  g.buchi = true;
  g.edges[0] = {1, 2};
  g.edges[1] = {0};
  for (u32 v = 2; v + 1 < nodes; ++v) g.edges[v].push_back(v + 1);
  g.accepting[0] = g.accepting[2] = 1;
  for (const u64 more : {u64{0}, u64{1} << 20}) {
    for (const Kind kind : {Kind::rank, Kind::phf}) {
      IndexOptions options;
      options.kind = kind;
      ProductTrial trial(g, 64 << 20);
      const CycleResult result = search_cycles(trial, options, more);
      REQUIRE(result.accepting == 2);
      REQUIRE(result.found);
      check_cycle(g, result);
    }
  }
}

TEST_CASE("too little memory for the bits is said with the bytes; a stop from outside is heeded") {
  Graph g = random_graph(7, 3000, 3);
  for (u32 v = 0; v + 1 < g.size(); ++v) g.edges[v].push_back(v + 1);
  g.buchi = true;
  ProductTrial trial(g, 4 << 20);
  IndexOptions options;
  const IndexResult made = trial.index(options);
  const u64 least = double_dfs_bytes(trial.search->model, made.index->size());
  CycleResult result;
  REQUIRE(run_double_dfs(trial.product, *made.index,
                         made.memory.first(static_cast<std::size_t>(least - 1)), result)
              .ok());
  REQUIRE(!result.fits);
  REQUIRE(result.bytes_needed == least);
  trial.control.poll = [](void*, const Progress&) { return StopReason::time_limit; };
  const Status status = run_double_dfs(trial.product, *made.index, made.memory, result);
  REQUIRE(status.stop_reason() == StopReason::time_limit);
  REQUIRE_FALSE(result.found);
}

}  // namespace double_dfs_test
