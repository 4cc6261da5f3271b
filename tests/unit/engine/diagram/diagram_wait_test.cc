// auto with several levels that are compared with its runs together: the same figures as with every
// level for itself, whatever waits when.
#include <doctest/doctest.h>

#include <random>

#include "engine/diagram/diagram_engine.h"
#include "flash_trial.h"

using namespace xmc;
using namespace xmc_test;

namespace diagram_wait_test {

namespace {

// Thin levels, with steps back to any age. States have no structure, so that diagrams are full
// soon; with `late` values digits that were joined run out of numbers.
Graph thin(u32 seed, u32 nodes, bool late) {
  Random random(seed * 17 + 3);
  Graph g(nodes, 2, 16);
  const u32 width = 20 + random() % 100;
  for (u32 v = 0; v < nodes; ++v) {
    if (v + 1 < nodes) g.edges[v].push_back(v + 1);
    for (u32 i = random() % 3; i > 0; --i) {
      g.edges[v].push_back(std::min(nodes - 1, v + 1 + random() % width));
    }
    if (random() % 8 == 0) g.edges[v].push_back(random() % (v + 1));
  }
  // The last levels are repeats only: steps from the end back to the front.
  g.edges[nodes - 1] = {nodes / 3, nodes / 2};
  std::mt19937_64 noise(seed);
  for (u32 v = 0; v < nodes; ++v) {
    g.state_of[v][0] = noise();
    g.state_of[v][1] = noise();
    if (!late) continue;
    const u64 value = v < nodes / 4 * 3 ? noise() % 3 : noise() % (v / 40);
    g.state_of[v][0] = value * 0x9E37'79B9'7F4A'7C15u;
    g.state_of[v][1] = u64{v * 0x9E37'79B1u} | (value * value) << 40;
  }
  REQUIRE(g.number_states());
  return g;
}

struct Waiting : Trial {
  explicit Waiting(u32 levels) : Trial("explicit") {
    auto& diagram = static_cast<DiagramEngine&>(*engine);
    diagram.set().wait_for_levels(levels);
  }
  ~Waiting() { static_cast<DiagramEngine&>(*engine).set().wait_for_levels(0); }
};

}  // namespace

TEST_CASE("levels that wait for the runs have the figures of a plain search") {
  u64 repeats = 0;
  u32 split = 0;
  for (u32 seed = 1; seed <= rounds(6); ++seed) {
    const bool late = seed % 3 == 0;
    Graph g = thin(seed, late ? 60000 : 30000, late);
    Disk disk(32 << 20);
    Waiting run(seed % 3 == 1 ? 1000 : 1 + seed * 3);
    INFO("seed ", seed);
    REQUIRE(run.go(g.model(), counting(), disk.folder).ok());
    check_figures(run.outcome, naive_figures(g), true);
    CHECK(run.outcome.stats.delayed_detections != kNoFigure);
    CHECK(run.outcome.stats.delayed_detections > 30);
    CHECK(run.outcome.stats.repeats != kNoFigure);
    repeats += run.outcome.stats.repeats;
    split += static_cast<DiagramEngine*>(run.engine)->set().rebuilds() > 1 ? 1 : 0;
  }
  CHECK(repeats > 1000);
  CHECK(split > 0);
}

TEST_CASE("shortest counterexamples among states that wait") {
  for (u32 seed = 1; seed <= rounds(3); ++seed) {
    Graph g = thin(seed, 30000, false);
    const std::vector<int> level = naive_levels(g);
    const u32 bad = 29000 + seed * 7;
    g.violated[bad] = 1;
    Disk disk(32 << 20);
    Waiting run(20);
    INFO("seed ", seed);
    REQUIRE(run.go(g.model(), SearchOptions(), disk.folder).ok());
    REQUIRE(run.outcome.violation == Violation::predicate);
    REQUIRE(run.outcome.minimal);
    CHECK(run.outcome.prefix_steps == static_cast<u64>(level[bad]));
  }
}

// Stopped again and again, inside levels too: what waited when the checkpoint was made is compared
// when the run goes on, in less or more memory.
TEST_CASE("levels that wait go on from a checkpoint") {
  u32 unchecked = 0;
  for (u32 seed = 1; seed <= rounds(3); ++seed) {
    const bool late = seed % 3 == 0;
    Graph g = thin(seed + 50, late ? 60000 : 30000, late);
    Disk disk(32 << 20);
    Manifest from;
    bool complete = false;
    for (u32 turn = 0; !complete; ++turn) {
      REQUIRE(turn < 200);
      Checkpoints checkpoints(3 + seed % 5, seed % 2 == 0);
      SearchOptions options = counting();
      options.checkpoints = &checkpoints;
      if (turn > 0) options.resume = &from;
      u32 polls = 0;
      RunControl control;
      control.self = &polls;
      control.poll = [](void* self, const Progress&) {
        return ++*static_cast<u32*>(self) > 1400 ? StopReason::signal : StopReason::none;
      };
      Waiting run(30);
      INFO("seed ", seed, ", turn ", turn);
      REQUIRE(run.go(g.model(), options, disk.folder, turn % 3 * 100000, control).ok());
      complete = run.outcome.complete;
      if (complete) check_figures(run.outcome, naive_figures(g), true);
      if (checkpoints.count > 0) REQUIRE(from.assign(checkpoints.last.text()));
      const Result<u64> waits = from.number("unchecked");
      unchecked += waits.ok() && waits.value() != ~u64{0} ? 1 : 0;
    }
  }
  CHECK(unchecked > 0);
}

TEST_CASE("waits get longer while they pay") {
  RunWait wait;
  CHECK(wait.levels() == 0);  // nothing is known
  wait.expanded(1000, 1'000'000);
  CHECK(wait.levels() == 0);
  wait.compared(100, 1'000'000);  // 10 us for a key
  CHECK(wait.levels() == 2);
  wait.waited(200, 20, 1'000'000);
  CHECK(wait.levels() == 4);
  // The device is as quick as before, but repeats take more than that saves: 2 us each.
  wait.waited(400, 200, 3'700'000);
  CHECK(wait.levels() == 2);
  wait.waited(400, 0, 4'000'000);
  wait.waited(400, 0, 4'000'000);
  CHECK(wait.levels() == 0);
  for (u32 i = 0; i < 63; ++i) wait.compared(100, 1'000'000);
  CHECK(wait.levels() == 0);
  wait.compared(100, 1'000'000);
  CHECK(wait.levels() == 2);
}

}  // namespace diagram_wait_test
