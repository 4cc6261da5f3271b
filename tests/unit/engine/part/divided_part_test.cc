// `part` whose states are divided among owners, each on a thread, against naive searches of the
// same graphs. What happens between the threads is another thing at every run.
#include <string>

#include "engine/part/part.h"
#include "flash_trial.h"
#include "owner_trial.h"

using namespace xmc;
using namespace xmc_test;

namespace divided_part_test {

namespace {

Graph graph_of(u32 seed, u32 size) {
  const u32 shapes[][2] = {{1, 8}, {1, 4}, {2, 13}, {3, 24}, {5, 33}};
  const auto& shape = shapes[seed % 5];
  return random_graph(seed, size, 1 + seed % 5, shape[0], shape[1]);
}

// With as little memory as there may be, or some more.
u64 extra_of(u32 seed) { return seed % 3 == 0 ? u64{1} << 20 : 0; }

// Whether any state that is reached is bad.
bool is_bad(const Graph& g, u32 v, const SearchOptions& options) {
  const bool stuck =
      options.deadlock == DeadlockRule::stuck && g.edges[v].empty() && g.errors[v] == 0;
  return g.violated[v] != kNone || g.errors[v] != 0 || stuck;
}

bool has_bad(const Graph& g, const SearchOptions& options) {
  const std::vector<int> level = naive_levels(g);
  for (u32 v = 0; v < g.size(); ++v) {
    if (level[v] >= 0 && is_bad(g, v, options)) return true;
  }
  return false;
}

void check_path(Trial& trial, const Graph& g, const SearchOptions& options) {
  const std::vector<u32> path = engine_path(*trial.engine, g, trial.outcome);
  REQUIRE(valid_path(g, path));
  REQUIRE(is_bad(g, path.back(), options));
}

}  // namespace

TEST_CASE("divided part: figures and counterexamples") {
  u64 activations = 0;
  for (u32 seed = 1; seed <= rounds(60); ++seed) {
    Graph g = graph_of(seed, 20 + seed * seed * 20);
    Random random(seed);
    const u32 rare = 1 + g.size() / (1 + seed % 3);
    for (u32 v = 0; v < g.size(); ++v) {
      if (random() % rare == 0) g.violated[v] = random() % 4;
      if (random() % rare == 0) g.errors[v] = 1 + random() % 2;
    }
    CAPTURE(seed);
    SearchOptions options;
    options.full = seed % 3 != 0;
    options.deadlock = seed % 2 == 0 ? DeadlockRule::stuck : DeadlockRule::ignore;
    const bool bad = has_bad(g, options);
    const Model model = g.model();
    Owners owners(model, 2 + seed % 4, seed % 2 == 0 ? 256 : 1024);
    Disk disk;
    Trial trial("part");
    const Status status = trial.go(model, owners.with(options), disk.folder, extra_of(seed));
    INFO(doctest::String(status.c_str()));
    REQUIRE(status.ok());
    activations += static_cast<PartEngine*>(trial.engine)->activations();
    REQUIRE(trial.outcome.stop == StopReason::none);
    REQUIRE((trial.outcome.violation != Violation::none) == bad);
    REQUIRE(trial.outcome.complete == (options.full || !bad));
    if (trial.outcome.complete) check_figures(trial.outcome, naive_figures(g), false);
    if (bad) check_path(trial, g, options);
  }
  CHECK(activations > 0);
}

TEST_CASE("divided part: stopped anywhere, and resumed until the end") {
  u32 resumes = 0;
  for (u32 seed = 1; seed <= rounds(20); ++seed) {
    Graph g = graph_of(seed, 20'000 + seed * 3'000);
    CAPTURE(seed);
    Random random(seed * 5 + 1);
    for (u32 v = 0; v < g.size() && seed % 3 == 0; ++v) {
      if (random() % 9'000 == 0) g.violated[v] = random() % 4;
    }
    SearchOptions options;
    options.deadlock = DeadlockRule::ignore;
    options.full = seed % 2 == 0;
    const bool bad = has_bad(g, options);
    const Model model = g.model();
    Disk disk;
    Checkpoints checkpoints(seed % 4 == 0 ? 0 : 1 + seed % 3, seed % 2 == 0);
    options.checkpoints = &checkpoints;
    Manifest from;
    u32 count = 2 + seed % 4;
    for (u32 process = 0;; ++process) {
      REQUIRE(process < 100);
      u32 left = 1 + random() % 20 + process;
      const RunControl control{&left, [](void* self, const Progress&) {
                                 u32& polls = *static_cast<u32*>(self);
                                 return polls > 0 && --polls == 0 ? StopReason::signal
                                                                  : StopReason::none;
                               }};
      Owners owners(model, count, 512);
      Trial trial("part");
      options.resume = process == 0 ? nullptr : &from;
      // Who divides states anew needs room for that.
      const u64 extra = extra_of(seed + process) + (seed % 3 != 1 ? u64{2} << 20 : 0);
      const Status status = trial.go(model, owners.with(options), disk.folder, extra, control);
      INFO(doctest::String(status.c_str()));
      REQUIRE(status.ok());
      const SearchOutcome& outcome = trial.outcome;
      const bool found = outcome.violation != Violation::none;
      if (found && !outcome.path_missing) check_path(trial, g, options);
      if (outcome.stop == StopReason::signal) {
        ++resumes;
        REQUIRE(from.assign(checkpoints.last.text()));
        REQUIRE(from.number("owners").value() == count);
        if (seed % 3 != 1) count = 1 + random() % 5;
        continue;
      }
      REQUIRE(outcome.stop == StopReason::none);
      REQUIRE(found == bad);
      if (!bad || options.full) check_figures(outcome, naive_figures(g), false);
      break;
    }
  }
  CHECK(resumes > rounds(20) / 2);
}

}  // namespace divided_part_test
