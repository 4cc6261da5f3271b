// The engines for accepting cycles in files, as a whole: against the components of random graphs
// and the definition of a shortest lasso, in as little memory as they take, stopped and resumed.
#include "engine/cycles/cycle_engine.h"

#include "engine/registry.h"
#include "flash_trial.h"
#include "lasso_checks.h"
#include "random_product.h"

using namespace xmc;
using namespace xmc_test;

namespace cycle_engine_test {

namespace {

struct Way {
  const char* engine;
  CycleOptions options;
};

CycleOptions with(IndexKind index, bool gastin_moro = false) {
  CycleOptions options;
  options.index = index;
  options.gastin_moro = gastin_moro;
  return options;
}

CycleOptions down_edges() {
  CycleOptions options;
  options.edges = EdgeUse::on;
  return options;
}

const Way kWays[] = {{"trim", {}},
                     {"min-cex", {}},
                     {"double-dfs", with(IndexKind::rank)},
                     {"double-dfs", with(IndexKind::phf)},
                     {"double-dfs", down_edges()},
                     {"iddfs", with(IndexKind::automatic)},
                     {"iddfs", with(IndexKind::phf)},
                     {"owcty", {}},
                     {"map", {}},
                     {"auto", {}},
                     {"min-cex", with(IndexKind::rank, true)},
                     {"min-cex", with(IndexKind::phf, true)}};

// `auto` is what it is for products.
Trial trial_of(const Way& way, Graph& g) {
  Trial run(way.engine);
  if (std::string(way.engine) == "auto") run.engine = choose_engine(g.model(), true).engine;
  return run;
}

SearchOptions options_of(const Way& way, bool full) {
  SearchOptions options;
  options.deadlock = DeadlockRule::ignore;
  options.errors_violate = false;
  options.full = full;
  options.cycles = way.options;
  return options;
}

void check_verdict(const Graph& g, Engine& engine, const SearchOutcome& outcome, bool full) {
  const bool violated = NaiveCycles(g).found;
  REQUIRE((outcome.violation != Violation::none) == violated);
  if (violated) check_lasso(g, engine, outcome);
  if (!violated || full) {
    const NaiveFigures f = naive_figures(g);
    check_figures(outcome, f, true);
    REQUIRE(outcome.stats.accepting == f.accepting);
  }
  if (!violated || std::string(engine.name()) != "min-cex") return;
  REQUIRE(outcome.minimal);
  REQUIRE(outcome.prefix_steps + outcome.cycle_steps == naive_lasso(g));
}

// Leaves the table early and looks at parts early, as it would with many states.
void hurry(Engine& engine, u32 seed) {
  auto& cycles = static_cast<CycleEngine&>(engine);
  if (seed % 3 != 0) cycles.hand_over_after(5 + seed % 40);
  cycles.look_after(1 + seed % 30);
}

// Its accepting state is on the way to the ring, and not on it.
Graph long_ring(u32 size) {
  Graph g(size);
  for (u32 v = 0; v < size; ++v) g.edges[v] = {v + 1 < size ? v + 1 : 1};
  g.buchi = true;
  g.accepting[0] = 1;
  return g;
}

// A binary tree, whose last two leaves may have steps to each other. The first states are numbers,
// which make a small diagram; the others are scrambled and do not.
struct Tree {
  static constexpr u64 kFactor = 0x9E37'79B9'7F4A'7C15u;
  static constexpr u64 kInverse = 0xF1DE'83E1'9937'733Du;
  static_assert(kFactor * kInverse == 1);

  u64 nodes;
  u64 numbers;
  bool cycle;

  Word state(u64 v) const { return v < numbers ? v : v * kFactor; }
  u64 node(Word s) const { return s < numbers ? s : s * kInverse; }

  Model model() {
    Model m;
    m.state_words = 1;
    m.state_bytes = 8;
    m.state_bits = 64;
    m.max_successors = 2;
    m.buchi = true;
    m.self = this;
    m.initial = [](void*, const SuccessorBuffer& out) {
      out.states[0] = 0;
      return u32{1};
    };
    m.expand = [](void* self, const Word* from, const SuccessorBuffer& out) {
      const Tree& t = *static_cast<const Tree*>(self);
      const u64 v = t.node(*from);
      Expansion e;
      const auto add = [&](u64 to) { out.states[e.count++] = t.state(to); };
      if (2 * v + 2 < t.nodes) {
        add(2 * v + 1);
        add(2 * v + 2);
      } else if (t.cycle && v + 2 >= t.nodes) {
        add(v + 2 == t.nodes ? v + 1 : v - 1);
      }
      if (v + 1 == t.nodes) e.flags |= kAccepting;
      return e;
    };
    return m;
  }
};

}  // namespace

TEST_CASE("engines for accepting cycles agree with the components of random graphs") {
  for (const Way& way : kWays) {
    u32 found = 0;
    u32 looks = 0;
    for (u32 seed = 1; seed <= rounds(250); ++seed) {
      Graph g = random_product(seed, seed % 5 == 0 ? 600 : 60);
      Disk disk(8 << 20);
      Trial run = trial_of(way, g);
      CAPTURE(std::string(way.engine));
      CAPTURE(static_cast<int>(way.options.index));
      CAPTURE(seed);
      run.prepare = [&](Engine& engine) { hurry(engine, seed); };
      const bool full = seed % 4 == 0;
      const Status status =
          run.go(g.model(), options_of(way, full), disk.folder, seed % 2 * 4'000'000);
      INFO(doctest::String(status.c_str()));
      REQUIRE(status.ok());
      REQUIRE(run.outcome.stop == StopReason::none);
      check_verdict(g, *run.engine, run.outcome, full);
      found += run.outcome.violation != Violation::none ? 1 : 0;
      looks += static_cast<CycleEngine*>(run.engine)->looks() > 0 ? 1 : 0;
    }
    CHECK(found > rounds(40));
    CHECK(found < rounds(250));
    const bool whole = std::string(way.engine) == "double-dfs" || way.options.gastin_moro ||
                       std::string(way.engine) == "owcty";
    CHECK((looks > 0) == !whole);
  }
}

TEST_CASE("with the bits on flash an engine finds a cycle if there is one") {
  u32 found = 0;
  for (u32 seed = 1; seed <= rounds(60); ++seed) {
    Random random(seed);
    Graph g = random_graph(seed, 2 + random() % 400, 1);
    if (seed % 2 == 0) g.edges[random() % g.size()].push_back(0);
    g.buchi = true;
    const bool weak = seed % 3 != 0;
    for (u8& accepting : g.accepting) accepting = weak || random() % 8 == 0 ? 1 : 0;
    std::fill(g.errors.begin(), g.errors.end(), 0u);
    std::fill(g.violated.begin(), g.violated.end(), kNone);
    Model model = g.model();
    model.weak = weak;
    const char* engines[] = {"trim", "owcty", "map"};
    Way way{engines[seed / 6 % 3], {}};
    way.options.windows = true;
    CAPTURE(seed);
    Disk disk(8 << 20);
    Trial run(way.engine);
    run.prepare = [&](Engine& engine) {
      static_cast<CycleEngine&>(engine).hand_over_after(5);
      static_cast<CycleEngine&>(engine).look_after(~u64{0});
    };
    const Status status = run.go(model, options_of(way, false), disk.folder, 0);
    INFO(doctest::String(status.c_str()));
    REQUIRE(status.ok());
    REQUIRE(run.outcome.stats.bit_windows == 1);
    check_verdict(g, *run.engine, run.outcome, false);
    found += run.outcome.violation != Violation::none ? 1 : 0;
  }
  CHECK(found > 3);
  CHECK(found < rounds(60) - 3);
}

TEST_CASE("states get the memory of looks that will not come") {
  for (const bool cycle : {false, true}) {
    Tree tree{599999, 250000, cycle};
    Disk disk(64 << 20);
    Trial run("min-cex");
    run.prepare = [&](Engine& engine) {
      static_cast<CycleEngine&>(engine).look_after(u64{1} << 30);
    };
    const Status status =
        run.go(tree.model(), options_of({"min-cex", {}}, false), disk.folder, 2'400'000);
    INFO(doctest::String(status.c_str()));
    REQUIRE(status.ok());
    REQUIRE(run.outcome.stop == StopReason::none);
    CHECK(static_cast<CycleEngine*>(run.engine)->reclaimed_bytes() > 0);
    REQUIRE((run.outcome.violation == Violation::accepting_cycle) == cycle);
    if (cycle) REQUIRE(run.outcome.cycle_steps == 2);
    REQUIRE(run.outcome.stats.states == tree.nodes);
  }
}

TEST_CASE("a stopped search for accepting cycles goes on from its checkpoint") {
  for (const Way& way : kWays) {
    u32 resumed = 0;
    for (u32 seed = 1; seed <= rounds(20); ++seed) {
      Random random(seed + 900);
      Graph g = random_product(seed * 5, 4000);
      Disk disk(32 << 20);
      SearchOptions options = options_of(way, false);
      Checkpoints checkpoints(1 + random() % 5);
      options.checkpoints = &checkpoints;
      CAPTURE(std::string(way.engine));
      CAPTURE(seed);
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
        Trial run = trial_of(way, g);
        run.prepare = [&](Engine& engine) { hurry(engine, seed); };
        options.resume = checkpoints.count == 0 ? nullptr : &from;
        const Status status =
            run.go(g.model(), options, disk.folder, seed % 2 * 4'000'000, control);
        INFO(doctest::String(status.c_str()));
        REQUIRE(status.ok());
        REQUIRE(from.assign(checkpoints.last.text()));
        if (run.outcome.stop == StopReason::signal) continue;
        check_verdict(g, *run.engine, run.outcome, false);
        resumed += round;
        break;
      }
    }
    CHECK(resumed > 0);
  }
}

TEST_CASE("a product that holds and fits the table is decided there, by auto alone") {
  u32 decided = 0;
  u32 violated = 0;
  for (u32 seed = 1; seed <= rounds(100); ++seed) {
    Graph g = random_product(seed, 300);
    CAPTURE(seed);
    for (const char* const name : {"auto", "min-cex"}) {
      const Way way{name, {}};
      for (const bool leaves : {false, true}) {
        Disk disk(8 << 20);
        Trial run = trial_of(way, g);
        run.prepare = [&](Engine& engine) {
          if (leaves) static_cast<CycleEngine&>(engine).hand_over_after(1);
        };
        REQUIRE(run.go(g.model(), options_of(way, false), disk.folder, 4'000'000).ok());
        check_verdict(g, *run.engine, run.outcome, false);
        const bool here = std::string(run.engine->decided_by()) == "ram";
        const bool holds = run.outcome.violation == Violation::none;
        const bool in_table = !static_cast<CycleEngine*>(run.engine)->left_table();
        REQUIRE(here == (std::string(name) == "auto" && holds && in_table));
        if (here) REQUIRE(!disk.folder.open(kEdgeFile, Folder::Open::existing).ok());
        decided += here ? 1 : 0;
        violated += holds ? 0 : 1;
      }
    }
  }
  CHECK(decided > rounds(10));
  CHECK(violated > rounds(10));
}

// As many levels as states, whose marks are beside the stack of the nested search: there are rings
// that fit the table, and that search does not.
TEST_CASE("auto goes on in files where the nested search does not fit beside the table") {
  const Way way{"auto", {}};
  u32 decided = 0;
  u32 too_large = 0;
  for (u32 size = 1000; size < 60000; size += 1000) {
    Graph g = long_ring(size);
    Disk disk(16 << 20);
    Trial run = trial_of(way, g);
    run.prepare = [&](Engine& engine) { static_cast<CycleEngine&>(engine).look_after(~u64{0}); };
    CAPTURE(size);
    REQUIRE(run.go(g.model(), options_of(way, false), disk.folder).ok());
    REQUIRE(run.outcome.complete);
    REQUIRE(run.outcome.stop == StopReason::none);
    REQUIRE(run.outcome.violation == Violation::none);
    REQUIRE(run.outcome.stats.states == size);
    REQUIRE(run.outcome.stats.levels == size);
    if (static_cast<CycleEngine*>(run.engine)->left_table()) break;
    ++(std::string(run.engine->decided_by()) == "ram" ? decided : too_large);
  }
  CHECK(decided > 0);
  CHECK(too_large > 0);
}

TEST_CASE("auto that is stopped in its nested search goes on with the edges") {
  const Way way{"auto", {}};
  for (const bool cycle : {false, true}) {
    Graph g = long_ring(10000);
    if (cycle) g.accepting.back() = 1;
    Disk disk(16 << 20);
    Checkpoints checkpoints(~0u);
    SearchOptions options = options_of(way, false);
    options.checkpoints = &checkpoints;
    const auto prepare = [](Engine& engine) {
      static_cast<CycleEngine&>(engine).look_after(~u64{0});
    };
    // Only that search expands states again.
    RunControl control;
    control.poll = [](void*, const Progress& progress) {
      return progress.expanded > 10000 ? StopReason::signal : StopReason::none;
    };
    Trial first = trial_of(way, g);
    first.prepare = prepare;
    REQUIRE(first.go(g.model(), options, disk.folder, 4'000'000, control).ok());
    REQUIRE(first.outcome.stop == StopReason::signal);
    REQUIRE(!first.outcome.complete);
    REQUIRE(first.outcome.violation == Violation::none);
    REQUIRE(checkpoints.count == 1);
    Manifest from;
    REQUIRE(from.assign(checkpoints.last.text()));
    options.resume = &from;
    Trial second = trial_of(way, g);
    second.prepare = prepare;
    REQUIRE(second.go(g.model(), options, disk.folder, 4'000'000).ok());
    REQUIRE(second.outcome.stop == StopReason::none);
    REQUIRE((second.outcome.violation == Violation::accepting_cycle) == cycle);
    REQUIRE(second.outcome.stats.states == g.size());
    REQUIRE(second.outcome.stats.levels == g.size());
    REQUIRE(std::string(second.engine->decided_by()) == "min-cex");
    if (!cycle) continue;
    REQUIRE(second.outcome.minimal);
    REQUIRE(second.outcome.prefix_steps + second.outcome.cycle_steps == g.size());
  }
}

TEST_CASE("engines for accepting cycles refuse a model without a property") {
  Graph g(3);
  g.edges[0] = {1};
  Disk disk(1 << 20);
  Trial run("trim");
  CHECK(run.go(g.model(), {}, disk.folder).code() == Code::unsupported);
}

TEST_CASE("a depth limit at the last level of a product leaves nothing out") {
  for (const bool cycle : {false, true}) {
    Graph g(40);
    for (u32 v = 0; v + 1 < g.size(); ++v) g.edges[v] = {v + 1};
    if (cycle) g.edges.back() = {g.size() - 1};
    g.buchi = true;
    g.accepting.back() = 1;
    SearchOptions options = options_of({"min-cex", {}}, true);
    options.depth_limit = g.size() - 1;
    Disk disk(1 << 20);
    Trial run("min-cex");
    REQUIRE(run.go(g.model(), options, disk.folder).ok());
    REQUIRE(run.outcome.stop == StopReason::none);
    check_verdict(g, *run.engine, run.outcome, true);
  }
}

}  // namespace cycle_engine_test
