// A search that is divided among owners against naive searches of the same graphs.
#include "engine/ram/owned_bfs.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "engine/ram/ram.h"
#include "graph_models.h"
#include "owner_trial.h"

using namespace xmc;
using namespace xmc_test;

namespace owned_bfs_test {

namespace {

struct Run {
  Run(const Model& model, u32 owners, SearchOptions options = {}, std::size_t bytes = 1 << 21,
      RunControl control = {}, u32 buffer_bytes = 256)
      : region(bytes), arena(region.memory), all(model, owners, buffer_bytes) {
    options = all.with(options);
    REQUIRE(engine.divides(model, options));
    const Status planned = engine.plan(model, options, arena);
    REQUIRE(planned.ok());
    arena.seal();
    REQUIRE(engine.run(control, outcome).ok());
  }
  Region region;
  Arena arena;
  Owners all;
  RamEngine engine;
  SearchOutcome outcome;
};

u32 owners_of(u32 seed) { return 2 + seed % 4; }

}  // namespace

TEST_CASE("owners: figures and shortest counterexamples of random graphs, the same at every run") {
  for (u32 seed = 1; seed <= 300; ++seed) {
    const u32 shapes[][2] = {{1, 8}, {1, 4}, {2, 13}, {3, 24}, {5, 33}};
    const auto& shape = shapes[seed % 5];
    Graph g = random_graph(seed, 20 + seed * 7, 1 + seed % 5, shape[0], shape[1]);
    Random random(seed);
    for (u32 v = 0; v < g.size(); ++v) {
      if (random() % 200 == 0) g.violated[v] = random() % 4;
      if (random() % 200 == 0) g.errors[v] = 1 + random() % 2;
    }
    CAPTURE(seed);
    SearchOptions options;
    options.full = seed % 3 != 0;
    options.deadlock = seed % 2 == 0 ? DeadlockRule::stuck : DeadlockRule::ignore;
    const std::vector<int> level = naive_levels(g);
    int least = -1;
    for (u32 v = 0; v < g.size(); ++v) {
      const bool stuck = seed % 2 == 0 && g.edges[v].empty() && g.errors[v] == 0;
      if (level[v] < 0 || (g.violated[v] == kNone && g.errors[v] == 0 && !stuck)) continue;
      if (least < 0 || level[v] < least) least = level[v];
    }
    Run run(g.model(), owners_of(seed), options);
    const SearchOutcome& outcome = run.outcome;
    REQUIRE((outcome.violation != Violation::none) == (least >= 0));
    REQUIRE(outcome.complete == (options.full || least < 0));
    REQUIRE(outcome.stop == StopReason::none);
    if (outcome.complete) {
      const NaiveFigures f = naive_figures(g);
      REQUIRE(outcome.stats.states == f.states);
      REQUIRE(outcome.stats.transitions == f.transitions);
      REQUIRE(outcome.stats.levels == f.levels);
      REQUIRE(outcome.stats.deadlocks == f.deadlocks);
      REQUIRE(outcome.stats.error_steps == f.error_steps);
    }
    if (least < 0) continue;
    REQUIRE(outcome.prefix_steps == static_cast<u64>(least));
    REQUIRE(outcome.minimal);
    REQUIRE_FALSE(outcome.path_missing);
    const std::vector<u32> path = engine_path(run.engine, g, outcome);
    REQUIRE(valid_path(g, path));
    if (outcome.violation == Violation::predicate) {
      REQUIRE(outcome.predicate == g.violated[path.back()]);
    } else if (outcome.violation == Violation::model_error) {
      REQUIRE(outcome.error_label == 1000 + path.back());
    }
    // Another number of owners, and another time, and smaller buffers.
    Run again(g.model(), owners_of(seed + 1), options, 1 << 21, {}, 64);
    REQUIRE(engine_path(again.engine, g, again.outcome) == path);
    REQUIRE(again.outcome.stats.states == outcome.stats.states);
    REQUIRE(again.outcome.stats.transitions == outcome.stats.transitions);
  }
}

TEST_CASE("owners: the limit of depth") {
  Graph g = random_graph(11, 5'000, 3);
  SearchOptions options;
  options.deadlock = DeadlockRule::ignore;
  const NaiveFigures f = naive_figures(g);
  const std::vector<int> level = naive_levels(g);
  for (u64 depth = 0; depth <= f.levels + 1; ++depth) {
    options.depth_limit = depth;
    Run run(g.model(), 3, options);
    CAPTURE(depth);
    const u64 within = static_cast<u64>(std::count_if(
        level.begin(), level.end(), [&](int l) { return l >= 0 && static_cast<u64>(l) <= depth; }));
    CHECK(run.outcome.stats.states == within);
    const bool all = depth + 1 >= f.levels;
    CHECK(run.outcome.complete == all);
    CHECK(run.outcome.stop == (all ? StopReason::none : StopReason::depth_limit));
    CHECK(run.outcome.stats.levels == std::min(depth + 1, f.levels));
  }
}

TEST_CASE("owners: out of room") {
  Graph g = random_graph(5, 10'000, 4);
  u32 complete = 0;
  u32 refused = 0;
  for (std::size_t bytes = 60'000; bytes < 260'000; bytes += 3'000) {
    SearchOptions options;
    options.deadlock = DeadlockRule::ignore;
    Run run(g.model(), 2 + static_cast<u32>(bytes / 3000 % 3), options, bytes);
    if (run.outcome.complete) {
      ++complete;
      continue;
    }
    ++refused;
    REQUIRE(run.outcome.stop == StopReason::ram);
    REQUIRE(run.outcome.ram_needed_bytes > 0);
    REQUIRE(run.outcome.ram_likely_bytes >= run.outcome.ram_needed_bytes);
  }
  CHECK(complete > 5);
  CHECK(refused > 5);
}

TEST_CASE("owners: the first of them is asked, for all, and may stop the search anywhere") {
  struct Watch {
    u64 levels = 0, calls = 0, stop_after = ~u64{0}, last_states = 0, level_states = 0;
  } watch;
  RunControl control;
  control.self = &watch;
  control.poll = [](void* self, const Progress& p) {
    Watch& w = *static_cast<Watch*>(self);
    if (p.level_done) {
      CHECK(p.level == w.levels++);
      w.last_states = p.states;
      w.level_states += p.level_states;
    }
    return ++w.calls >= w.stop_after ? StopReason::time_limit : StopReason::none;
  };
  Graph g = random_graph(21, 60'000, 4);
  SearchOptions options;
  options.deadlock = DeadlockRule::ignore;
  Run whole(g.model(), 3, options, 1 << 22, control);
  REQUIRE(whole.outcome.complete);
  CHECK(watch.levels == whole.outcome.stats.levels);
  CHECK(watch.last_states == whole.outcome.stats.states);
  CHECK(watch.level_states == whole.outcome.stats.states);
  const u64 calls = watch.calls;
  CHECK(calls > watch.levels);
  for (u64 stop = 1; stop < calls; ++stop) {
    watch = {};
    watch.stop_after = stop;
    Run run(g.model(), 3, options, 1 << 22, control);
    REQUIRE_FALSE(run.outcome.complete);
    REQUIRE(run.outcome.stop == StopReason::time_limit);
    REQUIRE(run.outcome.stats.states <= whole.outcome.stats.states);
  }
}

}  // namespace owned_bfs_test
