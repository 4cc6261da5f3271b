// Products whose steps lead from level to level: without a step back there is no cycle, and no edge
// file is made. One step back, of any kind and anywhere, is seen; in levels of one batch or
// several, in the table, on the way from there to the diagram, after a split or a resume.
#include "engine/cycles/cycle_engine.h"

#include "flash_trial.h"
#include "random_product.h"

using namespace xmc;
using namespace xmc_test;

namespace steps_back_test {

namespace {

// Levels of any width; each node has steps to some nodes of the next level, none elsewhere.
struct Levels {
  Graph g;
  std::vector<u32> begin;  // of each level, and the end

  Levels(u32 seed, u32 most_levels, u32 most_width) : g(0) {
    Random random(seed);
    begin = {0, 1};
    for (u32 left = 1 + random() % most_levels; left > 0; --left) {
      const u32 width = begin.back() - begin[begin.size() - 2];
      begin.push_back(begin.back() + 1 + random() % std::min(most_width, 12 * width));
    }
    // Wide states make small batches. Those of a level have a small diagram, and digits get new
    // values all the time.
    const u32 words = seed % 2 == 0 ? 1 : 14;
    g = Graph(begin.back(), words, 8 * words);
    for (u32 v = 0; v < g.size(); ++v) {
      std::vector<Word>& state = g.state_of[v];
      for (u32 w = 1; w < words; ++w) state[w] = (u64{v} / 16 * w + v / 3 % 2) * 0x0101'0101u;
      state[0] = v;
    }
    REQUIRE(g.number_states());
    g.buchi = true;
    std::fill(g.accepting.begin(), g.accepting.end(), u8{1});
    for (u32 l = 0; l + 2 < begin.size(); ++l) {
      const u32 width = begin[l + 2] - begin[l + 1];
      const u32 from = begin[l + 1] - begin[l];
      for (u32 i = 0; i < width; ++i) {
        g.edges[begin[l] + i % from].push_back(begin[l + 1] + i);
        g.edges[begin[l] + random() % from].push_back(begin[l + 1] + i);
      }
    }
  }
  // From some node to one of its level or one before, perhaps itself.
  u32 step_back(u32 seed) {
    Random random(seed * 31 + 7);
    const u32 v = random() % g.size();
    u32 level = 0;
    while (begin[level + 1] <= v) ++level;
    const u32 to = random() % 3 == 0 ? v : random() % begin[level + 1];
    g.edges[v].push_back(to);
    return to;
  }
};

SearchOptions options() {
  SearchOptions options;
  options.deadlock = DeadlockRule::ignore;
  options.errors_violate = false;
  return options;
}

void hurry(Engine& engine, u32 seed) {
  auto& cycles = static_cast<CycleEngine&>(engine);
  if (seed % 4 != 0) cycles.hand_over_after(5 + seed % 7 * 300);
  cycles.look_after(1 + seed % 30);
}

// The new keys of a level fit what is set aside, and batches may be smaller than levels.
u64 memory(u32 seed) { return (1024 + seed % 4 * 512) << 10; }

// `edges`: whether they have to be looked at.
void check(Levels& levels, u32 seed, bool edges) {
  Disk disk(32 << 20);
  Trial run(seed % 3 == 0 ? "trim" : "min-cex");
  run.prepare = [&](Engine& engine) { hurry(engine, seed); };
  const Status status = run.go(levels.g.model(), options(), disk.folder, memory(seed));
  INFO(doctest::String(status.c_str()));
  REQUIRE(status.ok());
  REQUIRE(run.outcome.stop == StopReason::none);
  const bool violated = NaiveCycles(levels.g).found;
  REQUIRE((run.outcome.violation != Violation::none) == violated);
  REQUIRE((run.outcome.stats.edges != kNoFigure) == edges);
  REQUIRE((static_cast<CycleEngine*>(run.engine)->looks() == 0 || edges));
  if (!violated) check_figures(run.outcome, naive_figures(levels.g), true);
}

}  // namespace

TEST_CASE("without a step back nothing is looked for") {
  for (u32 seed = 1; seed <= rounds(60); ++seed) {
    CAPTURE(seed);
    Levels levels(seed, 14, seed % 4 == 3 ? 6000 : 900);
    check(levels, seed, false);
  }
}

TEST_CASE("a single step back is seen") {
  u32 found = 0;
  for (u32 seed = 1; seed <= rounds(120); ++seed) {
    CAPTURE(seed);
    Levels levels(seed, 14, seed % 4 == 3 ? 6000 : 900);
    levels.step_back(seed);
    check(levels, seed, true);
    found += NaiveCycles(levels.g).found ? 1 : 0;
  }
  CHECK(found > rounds(30));
  CHECK(found < rounds(110));
}

TEST_CASE("a step back to what cannot accept does not count") {
  for (u32 seed = 1; seed <= rounds(60); ++seed) {
    CAPTURE(seed);
    Levels levels(seed, 14, 900);
    const u32 to = levels.step_back(seed);
    levels.g.classes.assign(levels.g.size(), 1);
    levels.g.classes[to] = 0;
    // A cycle through it would be no accepting one.
    if (NaiveCycles(levels.g).found) continue;
    check(levels, seed, false);
  }
}

TEST_CASE("a product without accepting states has no edges to look at") {
  for (u32 seed = 1; seed <= rounds(20); ++seed) {
    CAPTURE(seed);
    Levels levels(seed, 14, 900);
    levels.step_back(seed);
    std::fill(levels.g.accepting.begin(), levels.g.accepting.end(), u8{0});
    check(levels, seed, false);
  }
}

TEST_CASE("what is known about steps back outlives a stop") {
  u32 resumed = 0;
  u32 known = 0;
  for (u32 seed = 1; seed <= rounds(40); ++seed) {
    CAPTURE(seed);
    Random random(seed + 77);
    Levels levels(seed, 14, seed % 4 == 3 ? 6000 : 900);
    const bool back = seed % 2 == 0;
    if (back) levels.step_back(seed);
    Disk disk(32 << 20);
    SearchOptions run_options = options();
    Checkpoints checkpoints(1 + random() % 5, true);
    run_options.checkpoints = &checkpoints;
    Manifest from;
    for (u32 round = 0;; ++round) {
      REQUIRE(round < 2000);
      u32 left = 1 + random() % 4 + round;
      RunControl control;
      control.self = &left;
      control.poll = [](void* self, const Progress&) {
        u32& polls = *static_cast<u32*>(self);
        return polls > 0 && --polls == 0 ? StopReason::signal : StopReason::none;
      };
      Trial run("min-cex");
      run.prepare = [&](Engine& engine) { hurry(engine, seed); };
      run_options.resume = checkpoints.count == 0 ? nullptr : &from;
      const Status status =
          run.go(levels.g.model(), run_options, disk.folder, memory(seed), control);
      INFO(doctest::String(status.c_str()));
      REQUIRE(status.ok());
      resumed += round > 0 ? 1 : 0;
      if (run.outcome.stop == StopReason::signal) {
        REQUIRE(checkpoints.count > 0);
        REQUIRE(from.assign(checkpoints.last.text()));
        continue;
      }
      REQUIRE(run.outcome.stop == StopReason::none);
      const bool violated = NaiveCycles(levels.g).found;
      REQUIRE((run.outcome.violation != Violation::none) == violated);
      // Part of a level may be too much to read again.
      REQUIRE((run.outcome.stats.edges != kNoFigure || !back));
      known += run.outcome.stats.edges == kNoFigure ? 1 : 0;
      if (!violated) check_figures(run.outcome, naive_figures(levels.g), true);
      break;
    }
  }
  CHECK(resumed > rounds(40));
  CHECK(known > rounds(14));
}

}  // namespace steps_back_test
