// `auto` where a search with one bit for each state costs less than an edge file, or the bits of
// that would be on flash: it decides if the states fit a diagram with counts.
#include "engine/cycles/cycle_engine.h"
#include "engine/registry.h"
#include "flash_trial.h"
#include "lasso_checks.h"
#include "random_product.h"

using namespace xmc;
using namespace xmc_test;

namespace auto_ranks_test {

namespace {

// Nothing is found before all states are there, and then there is no room for bits.
SearchOptions crowded() {
  SearchOptions options;
  options.deadlock = DeadlockRule::ignore;
  options.errors_violate = false;
  options.cycles.windows = true;
  return options;
}

// A run that is resumed has its engine by name.
Trial auto_trial(const Model& model, bool resumed = false) {
  Trial run("min-cex");
  if (!resumed) run.engine = choose_engine(model, true).engine;
  run.prepare = [](Engine& engine) {
    auto& cycles = static_cast<CycleEngine&>(engine);
    cycles.hand_over_after(1);
    cycles.look_after(~u64{0});
  };
  return run;
}

bool ranked(const Engine& engine) { return std::string(engine.decided_by()) == "double-dfs"; }

// Every step leads on, but for one from the last state to the middle one, if that is wanted. States
// are scrambled, so that a diagram of them is large.
struct Way {
  static constexpr u64 kFactor = 0x9E37'79B9'7F4A'7C15u;
  static constexpr u64 kInverse = 0xF1DE'83E1'9937'733Du;
  static_assert(kFactor * kInverse == 1);

  u64 nodes;
  bool cycle;

  Model model() {
    Model m;
    m.state_words = 1;
    m.state_bytes = 8;
    m.state_bits = 64;
    m.max_successors = 3;
    m.buchi = true;
    m.self = this;
    m.initial = [](void*, const SuccessorBuffer& out) {
      out.states[0] = 0;
      return u32{1};
    };
    m.expand = [](void* self, const Word* from, const SuccessorBuffer& out) {
      const Way& w = *static_cast<const Way*>(self);
      const u64 v = *from * kInverse;
      Expansion e;
      const auto add = [&](u64 to) { out.states[e.count++] = to * kFactor; };
      for (const u64 step : {1, 7, 150}) {
        if (v + step < w.nodes) add(v + step);
      }
      if (w.cycle && v + 1 == w.nodes) add(w.nodes / 2);
      if (v % 16 == 0 || v == w.nodes / 2) e.flags |= kAccepting;
      return e;
    };
    return m;
  }
};

}  // namespace

TEST_CASE("auto searches by ranks where the bits of edges do not fit") {
  u32 by_ranks = 0;
  u32 found = 0;
  for (u32 seed = 1; seed <= rounds(150); ++seed) {
    Graph g = random_product(seed, seed % 5 == 0 ? 600 : 60);
    const bool full = seed % 4 == 0;
    SearchOptions options = crowded();
    options.full = full;
    CAPTURE(seed);
    Disk disk(8 << 20);
    Trial run = auto_trial(g.model());
    const Status status = run.go(g.model(), options, disk.folder, 4'000'000);
    INFO(doctest::String(status.c_str()));
    REQUIRE(status.ok());
    REQUIRE(run.outcome.stop == StopReason::none);
    REQUIRE(run.outcome.stats.bit_windows == kNoFigure);
    const bool violated = NaiveCycles(g).found;
    REQUIRE((run.outcome.violation != Violation::none) == violated);
    if (violated) check_lasso(g, *run.engine, run.outcome);
    if (!violated || full) {
      const NaiveFigures f = naive_figures(g);
      check_figures(run.outcome, f, true);
      REQUIRE(run.outcome.stats.accepting == f.accepting);
    }
    if (!ranked(*run.engine)) continue;
    REQUIRE(!run.outcome.minimal);
    REQUIRE(!disk.folder.open(kEdgeFile, Folder::Open::existing).ok());
    ++by_ranks;
    found += violated ? 1 : 0;
  }
  CHECK(found > rounds(20));
  CHECK(by_ranks - found > rounds(20));
}

// Steps lead on, but for a few.
Graph many_edges(u32 seed) {
  Random random(seed);
  Graph g(4 + random() % 200);
  g.buchi = true;
  for (u32 v = 0; v + 1 < g.size(); ++v) {
    for (u32 i = 0; i < 4; ++i) g.edges[v].push_back(v + 1 + random() % (g.size() - 1 - v));
    g.accepting[v] = random() % 4 == 0 ? 1 : 0;
  }
  for (u32 i = random() % 4; i > 0; --i) {
    const u32 from = random() % g.size();
    g.edges[from].push_back(from - random() % std::min(from + 1, 9u));
  }
  return g;
}

// What it finds is a shortest lasso, from the edges.
TEST_CASE("auto has ranks prove that there is no cycle where edges are many") {
  u32 by_ranks = 0;
  u32 found = 0;
  for (u32 seed = 1; seed <= rounds(150); ++seed) {
    Graph g = many_edges(seed);
    SearchOptions options = crowded();
    options.cycles.windows = false;
    options.cycles.minimal = seed % 2 == 0;
    CAPTURE(seed);
    Disk disk(8 << 20);
    Trial run = auto_trial(g.model());
    REQUIRE(run.go(g.model(), options, disk.folder, 4'000'000).ok());
    REQUIRE(run.outcome.stop == StopReason::none);
    const bool violated = NaiveCycles(g).found;
    REQUIRE((run.outcome.violation != Violation::none) == violated);
    if (!violated) {
      check_figures(run.outcome, naive_figures(g), true);
      by_ranks += ranked(*run.engine) ? 1 : 0;
      continue;
    }
    ++found;
    check_lasso(g, *run.engine, run.outcome);
    REQUIRE(!ranked(*run.engine));
    REQUIRE(run.outcome.minimal);
    REQUIRE(run.outcome.prefix_steps + run.outcome.cycle_steps == naive_lasso(g));
  }
  CHECK(found > rounds(20));
  CHECK(by_ranks > rounds(20));
}

// A long ring, whose last state accepts, and a short one; every step twice.
TEST_CASE("auto goes on with the edges where ranks find a cycle that is too long") {
  constexpr u32 kRing = 40000;
  u32 too_long = 0;
  for (const bool long_first : {false, true}) {
    Graph g(kRing + 1);
    g.buchi = true;
    for (u32 v = 0; v < kRing; ++v) g.edges[v] = {(v + 1) % kRing, (v + 1) % kRing};
    g.edges[0] = long_first ? std::vector<u32>{1, kRing} : std::vector<u32>{kRing, 1};
    g.edges[kRing] = {kRing, kRing};
    g.accepting[kRing - 1] = g.accepting[kRing] = 1;
    SearchOptions options = crowded();
    options.cycles.windows = false;
    Disk disk;
    Trial run = auto_trial(g.model());
    const Status status = run.go(g.model(), options, disk.folder);
    INFO(doctest::String(status.c_str()));
    REQUIRE(status.ok());
    REQUIRE(run.outcome.violation == Violation::accepting_cycle);
    REQUIRE(run.outcome.minimal);
    REQUIRE(run.outcome.prefix_steps == 1);
    REQUIRE(run.outcome.cycle_steps == 1);
    Disk other;
    Trial direct("double-dfs");
    options.cycles.index = IndexKind::rank;
    too_long += direct.go(g.model(), options, other.folder).code() == Code::budget ? 1 : 0;
  }
  CHECK(too_long > 0);
}

// Between these amounts of memory the set no longer has to leave it.
constexpr u64 kLittle = 700'000;
constexpr u64 kEnough = 1'400'000;
constexpr u64 kNodes = 12000;

TEST_CASE("auto takes windows of bits where its set has left memory") {
  for (const bool cycle : {false, true}) {
    for (const u64 extra : {kLittle, kEnough}) {
      Way way{kNodes, cycle};
      Disk disk;
      Trial run = auto_trial(way.model());
      CAPTURE(extra);
      REQUIRE(run.go(way.model(), crowded(), disk.folder, extra).ok());
      REQUIRE(run.outcome.stop == StopReason::none);
      REQUIRE((run.outcome.violation == Violation::accepting_cycle) == cycle);
      REQUIRE(run.outcome.stats.states == kNodes);
      const auto& engine = static_cast<const CycleEngine&>(*run.engine);
      REQUIRE((engine.spills() > 0) == (extra == kLittle));
      REQUIRE(ranked(engine) == (extra == kEnough));
      REQUIRE((run.outcome.stats.bit_windows != kNoFigure) == (extra == kLittle));
    }
  }
}

// Its first checkpoint that knows that ranks do not fit.
class FirstThatKnows final : public Checkpointer {
 public:
  bool due(bool boundary) override { return boundary; }
  Manifest& begin() override {
    next_.clear();
    return next_;
  }
  Status commit() override {
    if (text.empty() && next_.text().find("may-rank 0\n") != std::string_view::npos)
      text = next_.text();
    return {};
  }
  std::string text;

 private:
  Manifest next_;
};

// One that was killed before it knew finds it out again.
TEST_CASE("auto that is resumed knows that ranks do not fit") {
  const std::string line = "may-rank 0\n";
  for (const bool cycle : {false, true}) {
    Way way{kNodes, cycle};
    Disk disk;
    FirstThatKnows checkpoints;
    SearchOptions options = crowded();
    options.checkpoints = &checkpoints;
    Trial first = auto_trial(way.model());
    REQUIRE(first.go(way.model(), options, disk.folder, kLittle).ok());
    const std::size_t at = checkpoints.text.find(line);
    REQUIRE(at != std::string::npos);
    for (const bool known : {true, false}) {
      std::string text = checkpoints.text;
      if (!known) text.replace(at, line.size(), "may-rank 1\n");
      Manifest from;
      REQUIRE(from.assign(text));
      Checkpoints seldom(~0u);
      options.checkpoints = &seldom;
      options.resume = &from;
      Trial again = auto_trial(way.model(), true);
      REQUIRE(again.go(way.model(), options, disk.folder, kLittle).ok());
      REQUIRE(again.outcome.stop == StopReason::none);
      REQUIRE((again.outcome.violation == Violation::accepting_cycle) == cycle);
      REQUIRE(again.outcome.stats.states == kNodes);
      REQUIRE(again.outcome.stats.bit_windows != kNoFigure);
      const auto& engine = static_cast<const CycleEngine&>(*again.engine);
      REQUIRE(!ranked(engine));
      REQUIRE(engine.indexes_made() == (known ? 0 : 1));
    }
  }
}

TEST_CASE("auto that is stopped in its search by ranks goes on there") {
  u32 resumed = 0;
  u32 stops = 0;
  for (u32 seed = 1; seed <= rounds(24); ++seed) {
    Random random(seed);
    const bool cycle = seed % 2 == 0;
    Way way{kNodes, cycle};
    Disk disk;
    SearchOptions options = crowded();
    Checkpoints checkpoints(1 + random() % 5, seed % 3 == 0);
    options.checkpoints = &checkpoints;
    CAPTURE(seed);
    Manifest from;
    for (u32 round = 0;; ++round) {
      REQUIRE(round < 500);
      u32 left = 1 + random() % 4 + round;
      RunControl control;
      control.self = &left;
      // In the levels it is not stopped.
      control.poll = [](void* self, const Progress& progress) {
        u32& polls = *static_cast<u32*>(self);
        if (progress.level_states > 0) return StopReason::none;
        return polls > 0 && --polls == 0 ? StopReason::signal : StopReason::none;
      };
      options.resume = checkpoints.count == 0 ? nullptr : &from;
      Trial run = auto_trial(way.model(), options.resume != nullptr);
      const Status status = run.go(way.model(), options, disk.folder, kEnough, control);
      INFO(doctest::String(status.c_str()));
      REQUIRE(status.ok());
      REQUIRE(from.assign(checkpoints.last.text()));
      resumed += static_cast<CycleEngine*>(run.engine)->resumed() > 0 ? 1 : 0;
      if (run.outcome.stop == StopReason::signal) {
        ++stops;
        continue;
      }
      REQUIRE(run.outcome.stop == StopReason::none);
      REQUIRE((run.outcome.violation == Violation::accepting_cycle) == cycle);
      if (!cycle) REQUIRE(run.outcome.complete);
      if (!cycle) REQUIRE(run.outcome.stats.states == kNodes);
      if (!cycle) REQUIRE(ranked(*run.engine));
      break;
    }
  }
  CHECK(stops > rounds(24));
  CHECK(resumed > 0);
}

}  // namespace auto_ranks_test
