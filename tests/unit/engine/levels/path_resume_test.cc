// A stop is heard while the path of a counterexample is searched. The checkpoint says that there is
// a violation, and the run goes on with its path.
#include "flash_trial.h"
#include "random_product.h"

using namespace xmc;
using namespace xmc_test;

namespace path_resume_test {

namespace {

// The search is over when the bad state has been expanded, or with --full as many states as there
// are: from then on polls are counted.
struct Watch {
  Graph* g = nullptr;
  u32 bad = 0;
  bool found = false;
  u64 states = 0;  // with --full
  u64 expansions = 0;
  u32 left = ~0u;  // polls until the stop
  u32 polls = 0;   // behind the search
  bool bad_expanded = false;
  StopReason reason = StopReason::signal;
};
Watch* watch = nullptr;
Expansion (*expand_graph)(void*, const Word*, const SuccessorBuffer&) = nullptr;

Model watched(Graph& g) {
  Model model = g.model();
  expand_graph = model.expand;
  model.expand = [](void* self, const Word* state, const SuccessorBuffer& out) {
    const std::vector<Word>& bad = watch->g->state_of[watch->bad];
    if (std::equal(bad.begin(), bad.end(), state)) {
      watch->bad_expanded = true;
    }
    const bool all = ++watch->expansions >= watch->states;
    if (watch->bad_expanded && all) watch->found = true;
    return expand_graph(self, state, out);
  };
  return model;
}

StopReason poll(void*, const Progress&) {
  if (!watch->found) return StopReason::none;
  ++watch->polls;
  return watch->polls >= watch->left ? watch->reason : StopReason::none;
}

// Wide levels, and a bad state on the last one: the way back expands about half of the states.
Graph wide_with_error(u32 seed, u32 nodes) {
  Graph g = random_graph(seed, nodes, 3, 1 + seed % 3, 8 * (1 + seed % 3));
  const std::vector<int> level = naive_levels(g);
  u32 bad = 0;
  for (u32 v = 0; v < nodes; ++v) {
    if (level[v] > level[bad]) bad = v;
  }
  g.violated[bad] = 1;
  return g;
}

u32 bad_of(const Graph& g) {
  u32 bad = 0;
  while (g.violated[bad] == kNone) ++bad;
  return bad;
}

struct Ended {
  SearchOutcome outcome;
  std::vector<u32> path;
  u32 polls = 0;
};

struct Job {
  const char* engine;
  u64 extra;
  bool full;
  u32 stride = 1;  // polls that each round gets further
};

Ended run_through(const Job& job, Graph& g) {
  Watch all;
  all.g = &g;
  all.bad = bad_of(g);
  if (job.full) all.states = naive_figures(g).states;
  watch = &all;
  SearchOptions options = counting();
  options.full = job.full;
  Disk disk;
  Trial run(job.engine);
  REQUIRE(run.go(watched(g), options, disk.folder, job.extra, {nullptr, &poll}).ok());
  REQUIRE(run.outcome.violation == Violation::predicate);
  REQUIRE_FALSE(run.outcome.path_missing);
  return {run.outcome, engine_path(*run.engine, g, run.outcome), all.polls};
}

// Stopped at the first poll behind the search, then a poll later than the time before.
Ended run_in_pieces(const Job& job, Graph& g, u32& stops, StopReason reason) {
  SearchOptions options = counting();
  options.full = job.full;
  Disk disk;
  Checkpoints checkpoints(0);
  options.checkpoints = &checkpoints;
  Manifest from;
  for (u32 round = 0;; ++round) {
    REQUIRE(round < 100);
    Watch here;
    here.g = &g;
    here.bad = bad_of(g);
    if (job.full) here.states = naive_figures(g).states;
    here.left = 1 + round * job.stride;
    here.reason = reason;
    here.found = round > 0;
    watch = &here;
    Trial run(job.engine);
    options.resume = round == 0 ? nullptr : &from;
    const Status status = run.go(watched(g), options, disk.folder, job.extra, {nullptr, &poll});
    INFO("round ", round, ": ", status.message());
    REQUIRE(status.ok());
    REQUIRE(run.outcome.violation == Violation::predicate);
    if (!run.outcome.path_missing) {
      return {run.outcome, engine_path(*run.engine, g, run.outcome), here.polls};
    }
    ++stops;
    REQUIRE(run.outcome.stop == reason);
    REQUIRE_FALSE(run.outcome.complete);
    // The search is not done again.
    if (round > 0) REQUIRE(here.expansions < g.size());
    if (round > 0 && !job.full) REQUIRE_FALSE(here.bad_expanded);
    // With --full the stop may have come at the end of the last level, before its checkpoint.
    if (!job.full) REQUIRE(checkpoints.last.number("violation").value() != 0);
    REQUIRE(from.assign(checkpoints.last.text()));
  }
}

}  // namespace

TEST_CASE("a stop on the way back is heard, and a resume goes on with the path") {
  const Job jobs[] = {
      {"mono", 0, false},      {"local", 0, false},      {"disk", 0, false},
      {"serial", 0, false},    {"hddd", 0, false},       {"dddd", 0, false},
      {"auto", 0, false},      {"auto", 8 << 20, false}, {"diagram", 8 << 20, false},
      {"auto", 8 << 20, true}, {"mono", 0, true}};
  for (const Job& job : jobs) {
    u32 stops = 0;
    for (u32 seed = 1; seed <= rounds(3); ++seed) {
      Graph g = wide_with_error(seed, 40'000);
      INFO(std::string(job.engine), ", ", job.extra, " bytes, seed ", seed);
      const Ended whole = run_through(job, g);
      const StopReason reason = seed % 2 == 0 ? StopReason::signal : StopReason::time_limit;
      const Ended pieces = run_in_pieces(job, g, stops, reason);
      CHECK(pieces.outcome.prefix_steps == whole.outcome.prefix_steps);
      CHECK(pieces.outcome.minimal == whole.outcome.minimal);
      CHECK(valid_path(g, pieces.path));
      CHECK(pieces.path.back() == bad_of(g));
      // With --full a stop may come before the path, which is found all the same if it is short.
      if (job.full && pieces.outcome.stop == reason) continue;
      CHECK(pieces.outcome.complete == whole.outcome.complete);
      CHECK(pieces.outcome.stop == whole.outcome.stop);
      CHECK(pieces.outcome.stats.states == whole.outcome.stats.states);
      CHECK(pieces.outcome.stats.transitions == whole.outcome.stats.transitions);
      CHECK(pieces.outcome.stats.levels == whole.outcome.stats.levels);
    }
    INFO(std::string(job.engine));
    CHECK(stops > 0);
  }
}

TEST_CASE("part is stopped on its path, which is read through its origins") {
  const u32 nodes = 12'000;
  Graph g(nodes, 2, 16);
  for (u32 v = 0; v + 1 < nodes; ++v) g.edges[v] = {v + 1};
  g.violated[nodes - 1] = 1;
  for (const bool full : {false, true}) {
    const Job job{"part", 1 << 20, full, 100};
    const Ended whole = run_through(job, g);
    u32 stops = 0;
    const Ended pieces = run_in_pieces(job, g, stops, StopReason::signal);
    CHECK(stops > 1);
    CHECK(pieces.outcome.prefix_steps == nodes - 1);
    CHECK(pieces.outcome.complete == whole.outcome.complete);
    CHECK(pieces.outcome.stats.states == whole.outcome.stats.states);
    CHECK(pieces.outcome.stats.transitions == whole.outcome.stats.transitions);
    CHECK(pieces.path == whole.path);
  }
}

TEST_CASE("a search in memory is stopped on its path, and has no verdict") {
  Graph g = wide_with_error(1, 40'000);
  Watch here;
  here.g = &g;
  here.bad = bad_of(g);
  here.left = 1;
  watch = &here;
  SearchOptions options = counting();
  options.full = false;
  Disk disk;
  Trial run("ram");
  REQUIRE(run.go(watched(g), options, disk.folder, 8 << 20, {nullptr, &poll}).ok());
  CHECK(run.outcome.violation == Violation::predicate);
  CHECK(run.outcome.path_missing);
  CHECK_FALSE(run.outcome.complete);
  CHECK(run.outcome.stop == StopReason::signal);
}

}  // namespace path_resume_test
