#include "engine/ram/bfs.h"

#include <doctest/doctest.h>

#include <string>

#include "engine/ram/ram.h"
#include "graph_models.h"

using namespace xmc;
using namespace xmc_test;

namespace bfs_test {

namespace {

struct Run {
  explicit Run(const Model& model, const SearchOptions& options = {}, std::size_t bytes = 1 << 21,
               RunControl control = {})
      : region(bytes), arena(region.memory) {
    const Status planned = engine.plan(model, options, arena);
    REQUIRE(planned.ok());
    arena.seal();
    REQUIRE(engine.run(control, outcome).ok());
  }
  Region region;
  Arena arena;
  RamEngine engine;
  SearchOutcome outcome;
};

SearchOptions full_options() {
  SearchOptions options;
  options.full = true;
  return options;
}

void check_figures(const Graph& g, const SearchStats& stats) {
  const NaiveFigures f = naive_figures(g);
  CHECK(stats.states == f.states);
  CHECK(stats.transitions == f.transitions);
  CHECK(stats.levels == f.levels);
  CHECK(stats.deadlocks == f.deadlocks);
  CHECK(stats.error_steps == f.error_steps);
  CHECK(stats.expansions >= f.states);
}

// The least level of a node for which bad() is true, or -1.
template <class Bad>
int least_level(const Graph& g, const Bad& bad) {
  const std::vector<int> level = naive_levels(g);
  int least = -1;
  for (u32 v = 0; v < g.size(); ++v) {
    if (level[v] >= 0 && bad(v) && (least < 0 || level[v] < least)) least = level[v];
  }
  return least;
}

// The hypercube of `bits` dimensions: bit i of the state at bit spacing * i of the words.
struct Cube {
  u32 words, bits, spacing = 13;
  u32 place(u32 i) const { return spacing * i; }
  Model model() {
    Model m;
    m.state_words = words;
    m.state_bits = place(bits - 1) + 1;
    m.state_bytes = (m.state_bits + 7) / 8;
    m.max_successors = bits;
    m.self = this;
    m.initial = [](void* self, const SuccessorBuffer& out) {
      std::fill(out.states, out.states + static_cast<Cube*>(self)->words, 0);
      return 1u;
    };
    m.expand = [](void* self, const Word* state, const SuccessorBuffer& out) {
      const Cube& c = *static_cast<Cube*>(self);
      Expansion e;
      e.count = c.bits;
      for (u32 i = 0; i < c.bits; ++i) {
        Word* t = out.states + std::size_t{i} * c.words;
        std::copy(state, state + c.words, t);
        t[c.place(i) / 64] ^= Word{1} << (c.place(i) % 64);
      }
      return e;
    };
    return m;
  }
};

}  // namespace

TEST_CASE("random graphs: all figures, with and without room to spare") {
  for (u32 seed = 1; seed <= 300; ++seed) {
    const u32 shapes[][2] = {{1, 8}, {1, 4}, {2, 13}, {3, 24}, {5, 33}};
    const auto& shape = shapes[seed % 5];
    Graph g = random_graph(seed, 20 + seed * 7, 1 + seed % 5, shape[0], shape[1]);
    CAPTURE(seed);
    Run run(g.model(), full_options());
    CHECK(run.outcome.complete);
    CHECK(run.outcome.stop == StopReason::none);
    check_figures(g, run.outcome.stats);
    const int least = least_level(g, [&](u32 v) { return g.edges[v].empty(); });
    CHECK((run.outcome.violation == Violation::deadlock) == (least >= 0));
    if (least < 0) continue;
    CHECK(run.outcome.prefix_steps == static_cast<u64>(least));
    CHECK(run.outcome.minimal);
    const std::vector<u32> path = engine_path(run.engine, g, run.outcome);
    CHECK(valid_path(g, path));
    CHECK(g.edges[path.back()].empty());
    // The same counterexample without --full, sooner.
    Run first(g.model());
    CHECK(first.outcome.violation == Violation::deadlock);
    CHECK_FALSE(first.outcome.complete);
    CHECK(first.outcome.stats.states <= run.outcome.stats.states);
    CHECK(engine_path(first.engine, g, first.outcome) == path);
  }
}

TEST_CASE("predicates, erroneous steps and their order") {
  for (u32 seed = 1; seed <= 300; ++seed) {
    Graph g = random_graph(seed, 200, 3);
    Random random(seed);
    for (u32 v = 0; v < g.size(); ++v) {
      if (random() % 40 == 0) g.violated[v] = random() % 4;
      if (random() % 40 == 0) g.errors[v] = 1 + random() % 2;
    }
    CAPTURE(seed);
    SearchOptions options;
    options.deadlock = DeadlockRule::ignore;
    Run run(g.model(), options);
    const int least =
        least_level(g, [&](u32 v) { return g.violated[v] != kNone || g.errors[v] > 0; });
    CHECK(run.outcome.complete == (least < 0));
    CHECK((run.outcome.violation != Violation::none) == (least >= 0));
    if (least < 0) continue;
    const std::vector<u32> path = engine_path(run.engine, g, run.outcome);
    CHECK(valid_path(g, path));
    CHECK(run.outcome.prefix_steps == static_cast<u64>(least));
    if (run.outcome.violation == Violation::predicate) {
      CHECK(run.outcome.predicate == g.violated[path.back()]);
    } else {
      CHECK(run.outcome.violation == Violation::model_error);
      CHECK(g.violated[path.back()] == kNone);
      CHECK(run.outcome.error_label == 1000 + path.back());
    }
    options.errors_violate = false;
    Run tolerant(g.model(), options);
    const int predicate = least_level(g, [&](u32 v) { return g.violated[v] != kNone; });
    CHECK((tolerant.outcome.violation == Violation::predicate) == (predicate >= 0));
    if (predicate >= 0) CHECK(tolerant.outcome.prefix_steps == static_cast<u64>(predicate));
  }
}

TEST_CASE("deadlock rules") {
  Graph g(4);
  g.edges = {{1, 1}, {2, 3}, {2, 2}, {1}};  // node 2 only stutters
  SearchOptions options;
  options.deadlock = DeadlockRule::stuck;
  CHECK(Run(g.model(), options).outcome.violation == Violation::none);
  options.deadlock = DeadlockRule::stuttering;
  Run stuttering(g.model(), options);
  CHECK(stuttering.outcome.violation == Violation::deadlock);
  CHECK(stuttering.outcome.prefix_steps == 2);
  g.edges[2] = {};
  CHECK(Run(g.model(), options).outcome.violation == Violation::deadlock);
  options.deadlock = DeadlockRule::stuck;
  CHECK(Run(g.model(), options).outcome.violation == Violation::deadlock);
  options.deadlock = DeadlockRule::ignore;
  Run ignored(g.model(), options);
  CHECK(ignored.outcome.violation == Violation::none);
  CHECK(ignored.outcome.complete);
  CHECK(ignored.outcome.stats.deadlocks == 1);
  // An erroneous step beside a self-loop is a step.
  g.edges[2] = {2};
  g.errors[2] = 1;
  options.deadlock = DeadlockRule::stuttering;
  options.errors_violate = false;
  CHECK(Run(g.model(), options).outcome.violation == Violation::none);
}

TEST_CASE("hypercubes of 1, 2, 3 and 5 words") {
  for (Cube cube : {Cube{1, 5}, Cube{2, 9}, Cube{3, 14}, Cube{5, 16, 19}}) {
    const u32 bits = cube.bits;
    CAPTURE(bits);
    Run run(cube.model(), {}, 1 << 24);
    CHECK(run.outcome.complete);
    CHECK(run.outcome.stats.states == u64{1} << bits);
    CHECK(run.outcome.stats.transitions == (u64{1} << bits) * bits);
    CHECK(run.outcome.stats.levels == bits + 1);
    CHECK(run.outcome.stats.state_bytes == (cube.place(bits - 1) + 8) / 8);
    CHECK(run.outcome.stats.accepting == kNoFigure);
  }
}

TEST_CASE("a chain of many levels keeps its marks and gives its whole path") {
  const u32 nodes = 40'000;
  Graph g(nodes);
  for (u32 v = 0; v + 1 < nodes; ++v) g.edges[v] = {v, v + 1};
  Run run(g.model());
  CHECK(run.outcome.violation == Violation::deadlock);
  CHECK(run.outcome.prefix_steps == nodes - 1);
  CHECK(valid_path(g, engine_path(run.engine, g, run.outcome)));
  CHECK(run.outcome.stats.expansions <= 2 * nodes);
}

TEST_CASE("out of room: undecided, nothing lost, never a crash") {
  Graph g = random_graph(7, 20'000, 4);
  for (auto& out : g.edges) {
    if (out.empty()) out.push_back(0);
  }
  const NaiveFigures f = naive_figures(g);
  bool completed = false;
  u64 before = 0;
  for (std::size_t bytes = 6'000; bytes < 600'000; bytes += bytes / 7) {
    Run run(g.model(), {}, bytes / 64 * 64);
    CAPTURE(bytes);
    CHECK(run.outcome.violation == Violation::none);
    CHECK(run.outcome.stats.states <= f.states);
    CHECK(run.outcome.stats.states >= before);
    before = run.outcome.stats.states;
    CHECK(run.outcome.stats.ram_used <= bytes);
    completed = run.outcome.complete;
    if (completed) {
      check_figures(g, run.outcome.stats);
    } else {
      CHECK(run.outcome.stop == StopReason::ram);
      CHECK(run.outcome.ram_needed_bytes > bytes / 64 * 64 - 4096);
      CHECK(run.outcome.stats.states * 13 > bytes - 5'000);
    }
  }
  CHECK(completed);
}

TEST_CASE("a full table says what the states that wait will take") {
  // A tree of which each level has twice the states of the one before: so does the rest.
  const u32 nodes = 1 << 16;
  Graph tree(nodes);
  for (u32 v = 0; v < nodes; ++v) {
    tree.edges[v] = {2 * v + 1 < nodes ? 2 * v + 1 : 0, 2 * v + 2 < nodes ? 2 * v + 2 : 0};
  }
  const u64 bytes = 400'000;
  Run grows(tree.model(), {}, bytes);
  REQUIRE(grows.outcome.stop == StopReason::ram);
  CHECK(grows.outcome.ram_likely_bytes > grows.outcome.ram_needed_bytes * 9 / 5);

  // Many states at once, then one behind another: those that wait bring one more each at most.
  Graph fan(nodes);
  const u32 wide = 20'000;
  for (u32 v = 1; v <= wide; ++v) fan.edges[0].push_back(v);
  for (u32 v = 1; v < nodes; ++v) {
    const u32 next = wide + v;
    fan.edges[v] = {v % 2 == 0 && next < nodes ? next : 0};
  }
  Run shrinks(fan.model(), {}, bytes);
  REQUIRE(shrinks.outcome.stop == StopReason::ram);
  CHECK(shrinks.outcome.ram_likely_bytes < bytes * 2);
  CHECK(shrinks.outcome.ram_likely_bytes > bytes);
}

TEST_CASE("a violation is reported from a table that is full") {
  // Deadlocks are among the last states; try every size around the need.
  const u32 nodes = 3'000;
  Graph g(nodes);
  for (u32 v = 0; v + 1 < nodes; ++v) g.edges[v] = {v + 1};
  u32 violated = 0;
  u32 refused = 0;
  for (std::size_t bytes = 40'000; bytes < 64'000; bytes += 64) {
    Run run(g.model(), {}, bytes);
    if (run.outcome.violation == Violation::deadlock) {
      ++violated;
      REQUIRE(valid_path(g, engine_path(run.engine, g, run.outcome)));
    } else {
      ++refused;
      REQUIRE(run.outcome.stop == StopReason::ram);
      REQUIRE(violated == 0);
    }
  }
  CHECK(violated > 10);
  CHECK(refused > 10);
}

TEST_CASE("too small an arena is a budget error with the number of missing bytes") {
  Graph g = random_graph(3, 100, 3);
  std::size_t bytes = 0;
  for (;;) {
    Region region(bytes);
    Arena arena(region.memory);
    RamEngine engine;
    const Status status = engine.plan(g.model(), {}, arena);
    if (status.ok()) break;
    REQUIRE(status.code() == Code::budget);
    const std::string message(status.message());
    const auto at = message.rfind(": ");
    REQUIRE(at != std::string::npos);
    const std::size_t missing = std::stoul(message.substr(at + 2));
    REQUIRE(missing > 0);
    // One byte less than asked for is refused, the exact amount is enough.
    Region less(bytes + missing - 1);
    Arena small(less.memory);
    REQUIRE_FALSE(engine.plan(g.model(), {}, small).ok());
    bytes += missing;
  }
  CHECK(bytes > 0);
}

TEST_CASE("limits on states and depth") {
  Graph g = random_graph(11, 5'000, 3);
  SearchOptions options;
  options.deadlock = DeadlockRule::ignore;
  const NaiveFigures f = naive_figures(g);
  const std::vector<int> level = naive_levels(g);
  REQUIRE(f.levels > 5);
  for (const u64 limit : {u64{1}, u64{2}, u64{100}, f.states - 1, f.states, f.states + 1}) {
    options.state_limit = limit;
    Run run(g.model(), options);
    CAPTURE(limit);
    CHECK(run.outcome.complete == (limit >= f.states));
    CHECK(run.outcome.stop == (limit >= f.states ? StopReason::none : StopReason::state_limit));
    CHECK(run.outcome.stats.states == std::min(limit, f.states));
  }
  options.state_limit = ~u64{0};
  for (u64 depth = 0; depth <= f.levels + 1; ++depth) {
    options.depth_limit = depth;
    Run run(g.model(), options);
    CAPTURE(depth);
    const u64 within = static_cast<u64>(std::count_if(
        level.begin(), level.end(), [&](int l) { return l >= 0 && static_cast<u64>(l) <= depth; }));
    CHECK(run.outcome.stats.states == within);
    // The last level is looked at, too: when nothing lies behind it the search is complete.
    const bool all = depth + 1 >= f.levels;
    CHECK(run.outcome.complete == all);
    CHECK(run.outcome.stop == (all ? StopReason::none : StopReason::depth_limit));
    CHECK(run.outcome.stats.levels == std::min(depth + 1, f.levels));
  }
}

TEST_CASE("poll sees every level and can stop the search") {
  struct Watch {
    u64 levels = 0, calls = 0, stop_after = ~u64{0};
    u64 states = 0;
  } watch;
  RunControl control;
  control.self = &watch;
  control.poll = [](void* self, const Progress& p) {
    Watch& w = *static_cast<Watch*>(self);
    ++w.calls;
    if (p.level_done) CHECK(p.level == w.levels++);
    CHECK(p.states >= w.states);
    w.states = p.states;
    return w.calls > w.stop_after ? StopReason::time_limit : StopReason::none;
  };
  Cube cube{3, 14};
  Run run(cube.model(), {}, 1 << 22, control);
  CHECK(run.outcome.complete);
  CHECK(watch.levels == 15);
  CHECK(watch.calls > 15);  // large levels are polled inside, too
  watch = Watch();
  watch.stop_after = 10;
  Run stopped(cube.model(), {}, 1 << 22, control);
  CHECK_FALSE(stopped.outcome.complete);
  CHECK(stopped.outcome.stop == StopReason::time_limit);
  CHECK(watch.calls == 11);
}

TEST_CASE("an engine can be planned again") {
  Graph g = random_graph(21, 500, 3);
  RamEngine engine;
  for (u32 i = 0; i < 2; ++i) {
    Region region(1 << 18);
    Arena arena(region.memory);
    REQUIRE(engine.plan(g.model(), full_options(), arena).ok());
    SearchOutcome outcome;
    REQUIRE(engine.run({}, outcome).ok());
    check_figures(g, outcome.stats);
  }
}

}  // namespace bfs_test
