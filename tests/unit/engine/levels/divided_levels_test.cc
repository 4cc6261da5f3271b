// Level searches whose states are divided among owners, against naive searches of the same graphs.
#include <algorithm>
#include <string>

#include "engine/diagram/diagram_engine.h"
#include "flash_trial.h"
#include "owner_trial.h"

using namespace xmc;
using namespace xmc_test;

namespace divided_levels_test {

namespace {

constexpr const char* kDivided[] = {"explicit", "diagram"};

u32 owners_of(u32 seed) { return 2 + seed % 4; }

Graph graph_of(u32 seed, u32 size) {
  const u32 shapes[][2] = {{1, 8}, {1, 4}, {2, 13}, {3, 24}, {5, 33}};
  const auto& shape = shapes[seed % 5];
  return random_graph(seed, size, 1 + seed % 5, shape[0], shape[1]);
}

// After so many states of an owner, and with as little memory as there may be, every kind of set.
struct Kind {
  u64 leave_table = ~u64{0};
  u64 extra = 1 << 20;
};
Kind kind_of(u32 seed) {
  switch (seed % 4) {
    case 0:
      return {};
    case 1:
      return {u64{1} + seed % 50, 1 << 20};
    case 2:
      return {u64{200}, 1 << 16};
    default:
      return {~u64{0}, 0};
  }
}

}  // namespace

TEST_CASE("divided levels: figures and shortest counterexamples, the same at every run") {
  for (u32 seed = 1; seed <= rounds(80); ++seed) {
    Graph g = graph_of(seed, 20 + seed * 17);
    Random random(seed);
    for (u32 v = 0; v < g.size(); ++v) {
      if (random() % 400 == 0) g.violated[v] = random() % 4;
      if (random() % 400 == 0) g.errors[v] = 1 + random() % 2;
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
    std::vector<u32> first_path;
    for (const char* name : kDivided) {
      for (u32 run = 0; run < 2; ++run) {
        const Model model = g.model();
        Owners owners(model, owners_of(seed + run), run == 0 ? 256 : 1024);
        Disk disk;
        Trial trial(name);
        const Kind kind = kind_of(seed + run);
        const auto prepare = [&](Engine& engine) {
          if (name != std::string("explicit")) return;
          static_cast<DiagramEngine&>(engine).hand_over_after(kind.leave_table);
        };
        trial.prepare = prepare;
        const Status status = trial.go(model, owners.with(options), disk.folder, kind.extra);
        INFO(doctest::String(status.c_str()));
        REQUIRE(status.ok());
        const SearchOutcome& outcome = trial.outcome;
        if (outcome.stop == StopReason::ram && name == std::string("diagram")) continue;
        REQUIRE(outcome.stop == StopReason::none);
        REQUIRE((outcome.violation != Violation::none) == (least >= 0));
        REQUIRE(outcome.complete == (options.full || least < 0));
        if (outcome.complete) {
          const NaiveFigures f = naive_figures(g);
          check_figures(outcome, f, true);
        }
        if (least < 0) continue;
        REQUIRE(outcome.prefix_steps == static_cast<u64>(least));
        REQUIRE(outcome.minimal);
        const std::vector<u32> path = engine_path(*trial.engine, g, outcome);
        REQUIRE(valid_path(g, path));
        if (first_path.empty()) first_path = path;
        REQUIRE(path == first_path);
      }
    }
  }
}

TEST_CASE("divided levels: the limit of depth") {
  Graph g = random_graph(11, 5'000, 3);
  SearchOptions options;
  options.deadlock = DeadlockRule::ignore;
  const NaiveFigures f = naive_figures(g);
  const std::vector<int> level = naive_levels(g);
  for (u64 depth = 0; depth <= f.levels + 1; ++depth) {
    options.depth_limit = depth;
    const Model model = g.model();
    Owners owners(model, 3);
    Disk disk;
    Trial trial("explicit");
    trial.prepare = [&](Engine& engine) {
      if (depth % 2 == 0) static_cast<DiagramEngine&>(engine).hand_over_after(40);
    };
    REQUIRE(trial.go(model, owners.with(options), disk.folder, 1 << 20).ok());
    CAPTURE(depth);
    const u64 within = static_cast<u64>(std::count_if(
        level.begin(), level.end(), [&](int l) { return l >= 0 && static_cast<u64>(l) <= depth; }));
    CHECK(trial.outcome.stats.states == within);
    const bool all = depth + 1 >= f.levels;
    CHECK(trial.outcome.complete == all);
    CHECK(trial.outcome.stop == (all ? StopReason::none : StopReason::depth_limit));
    CHECK(trial.outcome.stats.levels == std::min(depth + 1, f.levels));
  }
}

TEST_CASE("divided levels: stopped anywhere, and resumed until the end") {
  u32 resumes = 0;
  u32 inside = 0;
  const u32 seeds = 20;  // all of them everywhere: the first ones have small graphs, and few stops
  for (u32 seed = 1; seed <= seeds; ++seed) {
    Graph g = graph_of(seed, 2'000 + seed * 500);
    CAPTURE(seed);
    const std::vector<int> level = naive_levels(g);
    Random random(seed * 5 + 1);
    int least = -1;
    if (seed % 3 == 0) {
      for (u32 v = 0; v < g.size(); ++v) {
        if (random() % 900 == 0) g.violated[v] = random() % 4;
        if (g.violated[v] != kNone && level[v] >= 0 && (least < 0 || level[v] < least))
          least = level[v];
      }
    }
    SearchOptions options;
    options.deadlock = DeadlockRule::ignore;
    options.full = seed % 2 == 0;
    const Model model = g.model();
    std::vector<u32> wanted_path;
    if (least >= 0) {
      Owners owners(model, 3);
      Disk disk;
      Trial trial("explicit");
      REQUIRE(trial.go(model, owners.with(options), disk.folder, 1 << 20).ok());
      wanted_path = engine_path(*trial.engine, g, trial.outcome);
    }
    Disk disk;
    Checkpoints checkpoints(seed % 4 == 0 ? 0 : 1 + seed % 3, seed % 2 == 0);
    options.checkpoints = &checkpoints;
    Manifest from;
    u32 count = owners_of(seed);
    for (u32 process = 0;; ++process) {
      REQUIRE(process < 200);
      if (process == 200) break;
      struct Watch {
        u32 left = 0;
        u32 inside = 0;
      } watch{1 + random() % 6 + process / 4, 0};  // what restores a run polls, too
      const RunControl control{&watch, [](void* self, const Progress& progress) {
                                 Watch& w = *static_cast<Watch*>(self);
                                 if (w.left-- > 1) return StopReason::none;
                                 w.left = 1;
                                 if (!progress.level_done) w.inside = 1;
                                 return StopReason::signal;
                               }};
      Owners owners(model, count, 512);
      Trial trial("explicit");
      const Kind kind = kind_of(seed + process);
      trial.prepare = [&](Engine& engine) {
        static_cast<DiagramEngine&>(engine).hand_over_after(kind.leave_table);
      };
      options.resume = process == 0 ? nullptr : &from;
      const Status status = trial.go(model, owners.with(options), disk.folder,
                                     kind.extra + (seed % 3 != 1 ? 2 << 20 : 0), control);
      INFO(doctest::String(status.c_str()));
      REQUIRE(status.ok());
      const SearchOutcome& outcome = trial.outcome;
      if (outcome.stop == StopReason::signal) {
        ++resumes;
        inside += watch.inside;
        REQUIRE(from.assign(checkpoints.last.text()));
        REQUIRE(from.number("owners").value() == count);
        // Two of three runs go on with another number of owners.
        const bool on_path = from.has("path-complete");
        if (seed % 3 != 1 && !on_path) count = 1 + random() % 5;
        continue;
      }
      REQUIRE(outcome.stop == StopReason::none);
      REQUIRE((outcome.violation != Violation::none) == (least >= 0));
      if (least < 0 || options.full) check_figures(outcome, naive_figures(g), true);
      if (least >= 0) {
        REQUIRE(outcome.prefix_steps == static_cast<u64>(least));
        REQUIRE(engine_path(*trial.engine, g, outcome) == wanted_path);
      }
      break;
    }
  }
  CHECK(resumes > 3 * seeds);
  CHECK(inside > seeds / 2);
}

}  // namespace divided_levels_test
