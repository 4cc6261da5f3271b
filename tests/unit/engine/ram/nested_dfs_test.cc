#include "engine/ram/nested_dfs.h"

#include <doctest/doctest.h>

#include "engine/ram/ram.h"
#include "graph_models.h"

using namespace xmc;
using namespace xmc_test;

namespace nested_dfs_test {

namespace {

struct Run {
  explicit Run(Graph& g, const SearchOptions& options, std::size_t bytes = 1 << 18)
      : region(bytes), arena(region.memory) {
    g.buchi = true;
    REQUIRE(engine.plan(g.model(), options, arena).ok());
    arena.seal();
    REQUIRE(engine.run({}, outcome).ok());
  }
  Region region;
  Arena arena;
  RamEngine engine;
  SearchOutcome outcome;
};

SearchOptions product_options(bool full) {
  SearchOptions options;
  options.deadlock = DeadlockRule::ignore;
  options.full = full;
  return options;
}

// A path from an initial node with an accepting node on its closing cycle.
void check_lasso(const Graph& g, Run& run) {
  const SearchOutcome& outcome = run.outcome;
  const std::vector<u32> path = engine_path(run.engine, g, outcome);
  REQUIRE(outcome.cycle_steps >= 1);
  REQUIRE(valid_path(g, path));
  const auto prefix = static_cast<std::ptrdiff_t>(outcome.prefix_steps);
  REQUIRE(path.back() == path[outcome.prefix_steps]);
  REQUIRE(
      std::any_of(path.begin() + prefix, path.end(), [&](u32 v) { return g.accepting[v] != 0; }));
}

// After a breadth-first search the prefix is a shortest one to this cycle.
void check_prefix(const Graph& g, Run& run) {
  const std::vector<u32> path = engine_path(run.engine, g, run.outcome);
  const std::vector<int> level = naive_levels(g);
  for (std::size_t i = run.outcome.prefix_steps; i < path.size(); ++i) {
    REQUIRE(static_cast<u64>(level[path[i]]) >= run.outcome.prefix_steps);
  }
}

// Both ways of searching against the components of the graph.
void check_product(Graph& g, std::size_t bytes = 1 << 18) {
  const NaiveFigures f = naive_figures(g);
  const bool violated = NaiveCycles(g).found;
  for (const bool full : {false, true}) {
    CAPTURE(full);
    Run run(g, product_options(full), bytes);
    REQUIRE(run.outcome.stop == StopReason::none);
    REQUIRE((run.outcome.violation == Violation::accepting_cycle) == violated);
    REQUIRE(run.outcome.complete == (full || !violated));
    if (violated) check_lasso(g, run);
    if (violated && full) check_prefix(g, run);
    CHECK(run.outcome.stats.levels == (full ? f.levels : kNoFigure));
    if (!run.outcome.complete) {
      CHECK(run.outcome.stats.states <= f.states);
      continue;
    }
    CHECK(run.outcome.stats.states == f.states);
    CHECK(run.outcome.stats.transitions == f.transitions);
    CHECK(run.outcome.stats.deadlocks == f.deadlocks);
    CHECK(run.outcome.stats.accepting == f.accepting);
    CHECK(run.outcome.stats.expansions >= f.states);
  }
}

}  // namespace

TEST_CASE("small cases by hand") {
  Graph loop(1);
  loop.edges = {{0}};
  check_product(loop);  // not accepting: holds
  loop.accepting = {1};
  check_product(loop);
  CHECK(Run(loop, product_options(false)).outcome.cycle_steps == 1);
  CHECK(Run(loop, product_options(false)).outcome.minimal);

  Graph off_cycle(4);  // 0 -> 1 (accepting) -> 2 <-> 3
  off_cycle.edges = {{1}, {2}, {3}, {2}};
  off_cycle.accepting = {0, 1, 0, 0};
  check_product(off_cycle);

  Graph dead(2);  // accepting without successors
  dead.edges = {{1}, {}};
  dead.accepting = {0, 1};
  check_product(dead);

  Graph shadow(5);  // the inner search from 1 passes through what 3 needs later
  shadow.edges = {{1, 3}, {2}, {}, {4}, {3, 2}};
  shadow.accepting = {0, 1, 0, 1, 0};
  check_product(shadow);

  Graph back(3);  // the cycle closes at a non-accepting state
  back.edges = {{1}, {2}, {0, 1}};
  back.accepting = {0, 0, 1};
  check_product(back);
}

TEST_CASE("thousands of random products agree with their components") {
  u32 violated = 0;
  for (u32 seed = 1; seed <= 6000; ++seed) {
    const u32 nodes = 1 + seed % 40;
    Graph g = random_graph(seed, nodes, 1 + seed % 4, 1 + seed % 3, 8 * (seed % 3) + 1 + seed % 8);
    Random random(seed * 31);
    const u32 rarity = 2 + seed % 11;
    for (u32 v = 0; v < nodes; ++v) g.accepting[v] = random() % rarity == 0 ? 1 : 0;
    CAPTURE(seed);
    check_product(g);
    violated += NaiveCycles(g).found ? 1u : 0u;
  }
  CHECK(violated > 1500);
  CHECK(violated < 4500);
}

TEST_CASE("sparse graphs with long cycles") {
  for (u32 seed = 1; seed <= rounds(300); ++seed) {
    const u32 nodes = 2000;
    Graph g(nodes);
    Random random(seed);
    for (u32 v = 0; v < nodes; ++v) {
      g.edges[v] = {(v + 1) % nodes};
      if (seed % 2 == 0 && v + 1 == nodes) g.edges[v] = {};
      if (random() % 50 == 0) g.edges[v].push_back(v - random() % (1 + std::min(v, 30u)));
      g.accepting[v] = random() % 200 == 0 ? 1 : 0;
    }
    CAPTURE(seed);
    check_product(g);
  }
}

TEST_CASE("a lasso is shortened over its own states") {
  // A ring of 1000 with a chord at every node to a far later one; depth-first goes the long way.
  const u32 nodes = 1000;
  Graph g(nodes);
  for (u32 v = 0; v < nodes; ++v) g.edges[v] = {(v + 1) % nodes, (v + 100) % nodes};
  g.accepting[500] = 1;
  Run run(g, product_options(false));
  REQUIRE(run.outcome.violation == Violation::accepting_cycle);
  check_lasso(g, run);
  CHECK(run.outcome.prefix_steps <= 5);
  CHECK(run.outcome.cycle_steps == 10);
  Run full(g, product_options(true));
  check_lasso(g, full);
  CHECK(full.outcome.prefix_steps + full.outcome.cycle_steps <= 15);
}

TEST_CASE("other violations of a product") {
  Graph g(4);
  g.edges = {{1}, {2}, {3}, {3}};
  g.errors[2] = 1;
  for (const bool full : {false, true}) {
    SearchOptions options = product_options(full);
    Run run(g, options);
    CHECK(run.outcome.violation == Violation::model_error);
    CHECK(run.outcome.error_label == 1002);
    CHECK(engine_path(run.engine, g, run.outcome) == std::vector<u32>{0, 1, 2});
    CHECK(run.outcome.complete == full);
    CHECK(run.outcome.minimal == full);
    options.errors_violate = false;
    CHECK(Run(g, options).outcome.violation == Violation::none);
    g.violated[1] = 3;
    Run predicate(g, options);
    CHECK(predicate.outcome.violation == Violation::predicate);
    CHECK(predicate.outcome.predicate == 3);
    CHECK(predicate.outcome.prefix_steps == 1);
    g.violated[1] = kNone;
  }
}

TEST_CASE("out of room: undecided or right, at every size") {
  u32 ended_by_ram = 0;
  for (u32 seed = 1; seed <= rounds(20); ++seed) {
    Graph g = random_graph(seed, 3000, 3);
    Random random(seed);
    if (seed % 2 == 0) {
      for (u32 v = 0; v < g.size(); ++v) g.accepting[v] = random() % 100 == 0 ? 1 : 0;
    }
    const bool violated = NaiveCycles(g).found;
    const NaiveFigures f = naive_figures(g);
    for (std::size_t bytes = 5'120; bytes < 100'000; bytes += 1'984) {
      for (const bool full : {false, true}) {
        Run run(g, product_options(full), bytes);
        CAPTURE(seed);
        CAPTURE(bytes);
        CAPTURE(full);
        if (run.outcome.violation == Violation::accepting_cycle) {
          REQUIRE(violated);
          check_lasso(g, run);
        } else if (run.outcome.complete) {
          REQUIRE_FALSE(violated);
          REQUIRE(run.outcome.stats.states == f.states);
          REQUIRE(run.outcome.stats.transitions == f.transitions);
        } else {
          REQUIRE(run.outcome.stop == StopReason::ram);
          ++ended_by_ram;
        }
      }
    }
  }
  CHECK(ended_by_ram > 100);
}

TEST_CASE("limits: nothing is proved by a search that left states out") {
  for (u32 seed = 1; seed <= 500; ++seed) {
    Graph g = random_graph(seed, 60, 3);
    Random random(seed);
    for (u32 v = 0; v < g.size(); ++v) g.accepting[v] = random() % 8 == 0 ? 1 : 0;
    const bool violated = NaiveCycles(g).found;
    const NaiveFigures f = naive_figures(g);
    CAPTURE(seed);
    for (const bool full : {false, true}) {
      for (const u64 limit : {u64{0}, u64{1}, u64{3}, u64{10}, u64{40}}) {
        SearchOptions options = product_options(full);
        options.depth_limit = limit;
        Run run(g, options);
        if (run.outcome.violation == Violation::accepting_cycle) {
          REQUIRE(violated);
          check_lasso(g, run);
        } else if (run.outcome.complete) {
          REQUIRE_FALSE(violated);
          REQUIRE(run.outcome.stats.states == f.states);
        } else {
          REQUIRE(run.outcome.stop == StopReason::depth_limit);
        }
        options = product_options(full);
        options.state_limit = limit + 1;
        Run states(g, options);
        REQUIRE(states.outcome.stats.states <= limit + 1);
        if (states.outcome.complete) REQUIRE(states.outcome.stats.states == f.states);
        if (states.outcome.violation == Violation::accepting_cycle) check_lasso(g, states);
      }
    }
  }
}

}  // namespace nested_dfs_test
