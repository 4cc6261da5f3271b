// The diagram engine against naive searches, with the hand-over forced at any size.
#include "engine/diagram/diagram_engine.h"

#include <doctest/doctest.h>

#include "graph_models.h"
#include "platform/device_fault.h"
#include "platform/device_ram.h"

using namespace xmc;
using namespace xmc_test;

namespace diagram_engine_test {

namespace {

struct Trial {
  Trial(const Model& model, SearchOptions options, u64 hand_over, std::size_t bytes = 1 << 20,
        RunControl control = {})
      : disk(8 << 20), folder(disk.memory), region(bytes), arena(region.memory) {
    options.folder = &folder;
    REQUIRE(engine.plan(model, options, arena).ok());
    engine.hand_over_after(hand_over);
    arena.seal();
    REQUIRE(engine.run(control, outcome).ok());
  }
  Region disk;
  RamFolder folder;
  Region region;
  Arena arena;
  DiagramEngine engine;
  SearchOutcome outcome;
};

Graph make_graph(u32 seed) {
  Random random(seed);
  const u32 words = 1 + random() % 3;
  const u32 nodes = 2 + random() % 900;
  const u32 bytes = 8 * (words - 1) + (nodes < 200 ? 1 : 2) + random() % 6;
  Graph g(nodes, words, bytes);
  const u32 degree = 1 + random() % 4;
  for (u32 v = 0; v < nodes; ++v) {
    const u32 count = random() % (degree + 1);
    for (u32 i = 0; i < count; ++i) {
      // Mostly near, sometimes back to the start: long back edges must not confuse the levels.
      const u32 near = v + 1 + random() % 9;
      g.edges[v].push_back(random() % 6 == 0 ? random() % nodes : near < nodes ? near : v);
    }
  }
  return g;
}

void check_path(const Graph& g, Trial& run, const std::vector<int>& level) {
  std::vector<Word> state(g.words);
  u32 before = kNone;
  for (u64 i = 0; i <= run.outcome.prefix_steps; ++i) {
    run.engine.path_state(i, state.data());
    const u32 v = g.node(state.data());
    REQUIRE(v != kNone);
    REQUIRE(level[v] == static_cast<int>(i));
    if (before != kNone) {
      REQUIRE(std::count(g.edges[before].begin(), g.edges[before].end(), v) > 0);
    }
    before = v;
  }
}

}  // namespace

TEST_CASE("all figures are those of a plain search, wherever the table is left") {
  u32 handed_over = 0;
  for (u32 seed = 1; seed <= rounds(400); ++seed) {
    Graph g = make_graph(seed);
    const NaiveFigures f = naive_figures(g);
    SearchOptions options;
    options.full = true;
    options.deadlock = DeadlockRule::ignore;
    for (const u64 after : {u64{1}, u64{2}, f.states / 2, f.states - 1, ~u64{0}}) {
      Trial run(g.model(), options, after);
      CAPTURE(seed);
      CAPTURE(after);
      REQUIRE(run.outcome.complete);
      REQUIRE(run.outcome.stats.states == f.states);
      REQUIRE(run.outcome.stats.transitions == f.transitions);
      REQUIRE(run.outcome.stats.levels == f.levels);
      REQUIRE(run.outcome.stats.deadlocks == f.deadlocks);
      handed_over +=
          run.folder.counters().total().bytes_written > 0 || run.engine.set().rebuilds() > 0;
    }
  }
  CHECK(handed_over > rounds(500));
}

TEST_CASE("violations have shortest paths, found from the file") {
  u32 found = 0;
  for (u32 seed = 1; seed <= rounds(400); ++seed) {
    Graph g = make_graph(seed);
    Random random(seed);
    for (u32 i = 0; i < 3; ++i) g.violated[random() % g.size()] = 2;
    const std::vector<int> level = naive_levels(g);
    int nearest = -1;
    for (u32 v = 0; v < g.size(); ++v) {
      if (g.violated[v] == kNone || level[v] < 0) continue;
      if (nearest < 0 || level[v] < nearest) nearest = level[v];
    }
    for (const bool full : {false, true}) {
      SearchOptions options;
      options.full = full;
      options.deadlock = DeadlockRule::ignore;
      Trial run(g.model(), options, 1 + random() % 50);
      CAPTURE(seed);
      REQUIRE((run.outcome.violation == Violation::predicate) == (nearest >= 0));
      REQUIRE(run.outcome.complete == (full || nearest < 0));
      if (nearest < 0) continue;
      REQUIRE(run.outcome.prefix_steps == static_cast<u64>(nearest));
      REQUIRE(run.outcome.minimal);
      check_path(g, run, level);
      ++found;
    }
  }
  CHECK(found > rounds(150));
}

TEST_CASE("limits on states and depth, behind the hand-over too") {
  for (u32 seed = 1; seed <= 60; ++seed) {
    Graph g = make_graph(seed);
    const NaiveFigures f = naive_figures(g);
    const std::vector<int> level = naive_levels(g);
    SearchOptions options;
    options.deadlock = DeadlockRule::ignore;
    CAPTURE(seed);
    for (u64 depth = 0; depth <= f.levels; ++depth) {
      options.depth_limit = depth;
      Trial run(g.model(), options, 3);
      u64 within = 0;
      for (const int l : level) within += l >= 0 && static_cast<u64>(l) <= depth ? 1u : 0u;
      REQUIRE(run.outcome.stats.states == within);
      REQUIRE(run.outcome.complete == (depth + 1 >= f.levels));
    }
    options.depth_limit = ~u64{0};
    for (const u64 limit : {u64{10}, f.states / 2, f.states, f.states + 1}) {
      options.state_limit = limit;
      Trial run(g.model(), options, 3);
      if (limit < 10) continue;
      REQUIRE(run.outcome.complete == (limit >= f.states));
      REQUIRE(run.outcome.stats.states == std::min(limit, f.states));
    }
  }
}

TEST_CASE("a set without structure that does not fit is undecided, not wrong") {
  // A chain of 60,000 random-looking states in little memory: no order of bits helps.
  Graph g(60000, 1, 8);
  for (u32 v = 0; v + 1 < g.size(); ++v) g.edges[v] = {v + 1};
  SearchOptions options;
  options.deadlock = DeadlockRule::ignore;
  Trial small(g.model(), options, 5000, 700 << 10);
  CHECK_FALSE(small.outcome.complete);
  CHECK(small.outcome.stop == StopReason::ram);
  CHECK(small.outcome.stats.states >= 5000);
  CHECK(small.outcome.ram_needed_bytes > 0);
  Trial large(g.model(), options, 5000, 16 << 20);
  CHECK(large.outcome.complete);
  CHECK(large.outcome.stats.states == 60000);
  CHECK(large.outcome.stats.levels == 60000);
}

TEST_CASE("a failing device ends the run with its error") {
  Graph g(60000, 1, 8);
  for (u32 v = 0; v + 1 < g.size(); ++v) g.edges[v] = {v + 1};
  for (u32 round = 0; round < 20; ++round) {
    Region disk(8 << 20), journal(8 << 20), region(16 << 20);
    RamFolder below(disk.memory);
    FaultFolder folder(below, journal.memory);
    Arena arena(region.memory);
    DiagramEngine engine;
    SearchOptions options;
    options.deadlock = DeadlockRule::ignore;
    options.folder = &folder;
    REQUIRE(engine.plan(g.model(), options, arena).ok());
    engine.hand_over_after(20000);
    FaultPlan plan;
    Code expected = Code::io;
    if (round % 4 == 0) plan.fail_write_at = 1 + round / 4;
    if (round % 4 == 1) plan.fail_read_at = 1 + round / 4;
    if (round % 4 == 2) {
      plan.flip_read_at = 1 + round / 4;
      plan.seed = round;
      expected = Code::corrupt;
    }
    if (round % 4 == 3) {
      plan.full_after_bytes = u64{64 << 10} * (round / 4);
      expected = Code::disk_full;
    }
    folder.arm(plan);
    SearchOutcome outcome;
    const Status status = engine.run({}, outcome);
    CAPTURE(round);
    CHECK_FALSE(status.ok());
    CHECK(status.code() == expected);
  }
}

}  // namespace diagram_engine_test
