// What has to stay reachable, against its definition on random graphs: in memory and over an edge
// file, by every search that has its levels in a queue, in as little memory as that takes, stopped
// and resumed.
#include "engine/cycles/live_engine.h"
#include "engine/diagram/diagram_engine.h"
#include "engine_lists.h"
#include "flash_trial.h"
#include "live_graph.h"
#include "random_product.h"
#include "two_checkpoints.h"

using namespace xmc;
using namespace xmc_test;

namespace live_test {

namespace {

// A long band of nodes with steps far back, where caches have forgotten what they lead to: states
// are wide, so that the memory, in which edges have to fit, holds a part of them.
Graph band_with_steps_back(u32 seed) {
  Random random(seed);
  Graph g(3000 + seed * 100, 32, 250);
  const u32 last = g.size() - 1;
  for (u32 v = 0; v < last; ++v) {
    for (u32 i = 0; i < 3; ++i) {
      g.edges[v].push_back(std::min(last, v + 1 + static_cast<u32>(random() % 40)));
    }
    g.edges[v].push_back(v - static_cast<u32>(random() % (std::min(v, 2500u) + 1)));
  }
  // Else the last node is lost, and all that lead to nothing else.
  if (seed % 2 == 0) g.edges[last].push_back(0);
  return g;
}

SearchOptions options() {
  SearchOptions options;
  options.deadlock = DeadlockRule::ignore;
  options.errors_violate = false;
  return options;
}

void hand_over_after(Engine& engine, u64 states) {
  using Live = LiveEngine<DiagramEngine, &kLiveTraits>;
  static_cast<Live&>(engine).levels().hand_over_after(states);
}

// Beside `ram`, which has a search of its own, and `live`.
const Names kByLevels =
    engines_that([](const EngineTraits& t) { return t.checks_liveness; }, {"ram", "live"});

void check(const LiveGraph& g, Engine& engine, const SearchOutcome& outcome, int lost) {
  check_figures(outcome, naive_figures(g.graph), true);
  REQUIRE((outcome.violation == Violation::liveness) == (lost >= 0));
  if (lost < 0) return;
  REQUIRE(outcome.minimal);
  REQUIRE(outcome.cycle_steps == 0);
  REQUIRE(outcome.prefix_steps == static_cast<u64>(lost));
  REQUIRE(outcome.predicate >= 4);
  std::vector<Word> before(g.graph.words);
  std::vector<Word> state(g.graph.words);
  for (u64 i = 0; i <= outcome.prefix_steps; ++i) {
    engine.path_state(i, state.data());
    const u32 v = g.graph.node(state.data());
    if (i == 0) {
      const auto& first = g.graph.initial;
      REQUIRE(std::find(first.begin(), first.end(), v) != first.end());
    } else {
      const auto& next = g.graph.edges[g.graph.node(before.data())];
      REQUIRE(std::find(next.begin(), next.end(), v) != next.end());
    }
    before = state;
  }
  REQUIRE(!g.leads(g.graph.node(state.data()), outcome.predicate - 4));
}

}  // namespace

TEST_CASE("what has to stay reachable does, or a nearest state from which it is not is found") {
  for (const char* name : {"ram", "live"}) {
    u32 found = 0;
    for (u32 seed = 1; seed <= rounds(250); ++seed) {
      LiveGraph g(seed, seed % 5 == 0 ? 400 : 40);
      Disk disk(8 << 20);
      Trial run(name);
      CAPTURE(std::string(name));
      CAPTURE(seed);
      if (std::string(name) == "live" && seed % 3 != 0) {
        run.prepare = [&](Engine& engine) { hand_over_after(engine, 5 + seed % 40); };
      }
      const bool ram = std::string(name) == "ram";
      const Status status =
          run.go(g.model(), options(), disk.folder, ram ? 1 << 20 : seed % 2 * 4'000'000);
      INFO(doctest::String(status.c_str()));
      REQUIRE(status.ok());
      REQUIRE(run.outcome.stop == StopReason::none);
      const int lost = g.lost_level();
      check(g, *run.engine, run.outcome, lost);
      found += lost >= 0 ? 1 : 0;
    }
    CHECK(found > rounds(30));
    CHECK(found < rounds(220));
  }
}

// One poll more each time, until the last checkpoint has edges.
bool stop_with_edges(LiveGraph& g, const char* name, Disk& disk, Manifest& from) {
  for (u32 polls = 1; polls < 300; ++polls) {
    TwoCheckpoints checkpoints(1);
    SearchOptions search = options();
    search.checkpoints = &checkpoints;
    u32 left = polls;
    RunControl control{&left, [](void* self, const Progress&) {
                         return --*static_cast<u32*>(self) == 0 ? StopReason::signal
                                                                : StopReason::none;
                       }};
    Trial run(name);
    REQUIRE(run.go(g.model(), search, disk.folder, 200'000, control).ok());
    if (run.outcome.stop == StopReason::none) return false;
    REQUIRE(from.assign(checkpoints.last.text()));
    Manifest::File file;
    for (u32 i = 0; from.file(i, file); ++i) {
      if (file.name == kEdgeFile && file.bytes > 0) return true;
    }
  }
  return false;
}

// Else a power cut behind a resume takes both checkpoints.
TEST_CASE("a check that goes on leaves the edges of its checkpoint as they are") {
  for (const char* name : {"live", "hddd"}) {
    CAPTURE(std::string(name));
    LiveGraph g(7, 6000);
    Disk disk(32 << 20);
    Manifest from;
    REQUIRE(stop_with_edges(g, name, disk, from));
    SearchOptions search = options();
    search.resume = &from;
    Trial run(name);
    REQUIRE(run.go(g.model(), search, disk.folder, 200'000).ok());
    check(g, *run.engine, run.outcome, g.lost_level());
    verify(disk.folder, from);
  }
}

TEST_CASE("searches that enqueue states again find the same") {
  u32 forgetful = 0;
  for (const std::string& name : kByLevels) {
    for (u32 seed = 1; seed <= 8; ++seed) {
      LiveGraph g(band_with_steps_back(seed));
      Disk disk(32 << 20);
      Trial run(name.c_str());
      CAPTURE(std::string(name));
      CAPTURE(seed);
      SearchOptions search = options();
      if (seed % 2 == 0) search.collision_percent = 90;  // of cached and serial
      // A diagram has to hold all states.
      const u64 extra = std::string(name) == "diagram" ? 4 << 20 : seed % 3 * 50'000;
      const Status status = run.go(g.model(), search, disk.folder, extra);
      INFO(doctest::String(status.c_str()));
      REQUIRE(status.ok());
      if (run.outcome.stop == StopReason::collisions) continue;
      REQUIRE(run.outcome.stop == StopReason::none);
      check(g, *run.engine, run.outcome, g.lost_level());
      forgetful += run.outcome.stats.repeats != kNoFigure ? 1 : 0;
    }
  }
  CHECK(forgetful > 5);
}

void check_resumed(const char* name) {
  u32 resumed = 0;
  for (u32 seed = 1; seed <= rounds(30); ++seed) {
    Random random(seed + 900);
    const bool band = seed == 4 && std::string(name) != "live";
    LiveGraph g = band ? LiveGraph(band_with_steps_back(seed)) : LiveGraph(seed * 5, 2000);
    const int lost = g.lost_level();
    Disk disk(32 << 20);
    SearchOptions search = options();
    Checkpoints checkpoints(1 + random() % 5);
    search.checkpoints = &checkpoints;
    CAPTURE(std::string(name));
    CAPTURE(seed);
    Manifest from;
    for (u32 round = 0;; ++round) {
      REQUIRE(round < 2000);
      u32 left = (band ? 60 : 1) * (1 + random() % 4) + round;
      RunControl control;
      control.self = &left;
      control.poll = [](void* self, const Progress&) {
        u32& polls = *static_cast<u32*>(self);
        return polls > 0 && --polls == 0 ? StopReason::signal : StopReason::none;
      };
      Trial run(name);
      if (std::string(name) == "live") {
        run.prepare = [&](Engine& engine) { hand_over_after(engine, 5 + seed % 40); };
      }
      search.resume = checkpoints.count == 0 ? nullptr : &from;
      const Status status =
          run.go(g.model(), search, disk.folder, band ? 0 : seed % 2 * 4'000'000, control);
      INFO(doctest::String(status.c_str()));
      REQUIRE(status.ok());
      REQUIRE(from.assign(checkpoints.last.text()));
      if (run.outcome.stop == StopReason::signal) continue;
      check(g, *run.engine, run.outcome, lost);
      resumed += round;
      break;
    }
  }
  CHECK(resumed > 0);
}

TEST_CASE("a stopped search for what is lost goes on from its checkpoint") {
  check_resumed("live");
  for (const char* name : {"dddd", "serial", "local"}) check_resumed(name);
}

}  // namespace live_test
