// What has to stay reachable, against its definition on random graphs: in memory and over an edge
// file, in as little memory as that takes, stopped and resumed.
#include "engine/cycles/cycle_engine.h"
#include "flash_trial.h"
#include "random_product.h"

using namespace xmc;
using namespace xmc_test;

namespace {

struct LiveGraph {
  explicit LiveGraph(u32 seed, u32 most_nodes) : graph(random_product(seed, most_nodes)) {
    Random random(seed);
    graph.buchi = false;
    graph.classes.clear();
    std::fill(graph.errors.begin(), graph.errors.end(), 0u);
    std::fill(graph.violated.begin(), graph.violated.end(), kNone);
    count = 1 + random() % 3;
    const u32 one_in = 1 + random() % 6;
    for (u32 v = 0; v < graph.size(); ++v) {
      // Many graphs have a way back, so that the answer is not always no.
      if (seed % 3 != 0 && graph.edges[v].empty()) graph.edges[v].push_back(random() % (v + 1));
      u32 bits = 0;
      for (u32 i = 0; i < count; ++i) bits |= random() % one_in == 0 ? u32{1} << i : 0;
      where.push_back(bits);
    }
  }

  Model model() {
    Model m = graph.model();
    self = {m.self, m.initial, m.expand};
    m.self = this;
    m.initial = [](void* live, const SuccessorBuffer& out) {
      const Inner& inner = static_cast<LiveGraph*>(live)->self;
      return inner.initial(inner.self, out);
    };
    m.expand = [](void* live, const Word* state, const SuccessorBuffer& out) {
      const Inner& inner = static_cast<LiveGraph*>(live)->self;
      return inner.expand(inner.self, state, out);
    };
    m.fork = nullptr;
    m.live = [](void* live, const Word* state) {
      const auto& g = *static_cast<LiveGraph*>(live);
      return g.where[g.graph.node(state)];
    };
    m.live_count = count;
    return m;
  }

  // Whether a node with the bit is reachable from this one.
  bool leads(u32 from, u32 bit) const {
    std::vector<u8> seen(graph.size());
    std::vector<u32> queue{from};
    seen[from] = 1;
    for (std::size_t head = 0; head < queue.size(); ++head) {
      if ((where[queue[head]] >> bit & 1) != 0) return true;
      for (const u32 t : graph.edges[queue[head]]) {
        if (seen[t] == 0) queue.push_back(t);
        seen[t] = 1;
      }
    }
    return false;
  }

  // The least level of a node that leads to no node with some bit; -1: there is none.
  int lost_level() const {
    const std::vector<int> level = naive_levels(graph);
    int least = -1;
    for (u32 v = 0; v < graph.size(); ++v) {
      if (level[v] < 0 || (least >= 0 && level[v] >= least)) continue;
      for (u32 i = 0; i < count; ++i)
        if (!leads(v, i)) least = level[v];
    }
    return least;
  }

  struct Inner {
    void* self;
    u32 (*initial)(void*, const SuccessorBuffer&);
    Expansion (*expand)(void*, const Word*, const SuccessorBuffer&);
  };
  Graph graph;
  std::vector<u32> where;
  u32 count = 0;
  Inner self{};
};

SearchOptions options() {
  SearchOptions options;
  options.deadlock = DeadlockRule::ignore;
  options.errors_violate = false;
  return options;
}

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
        run.prepare = [&](Engine& engine) {
          static_cast<CycleEngine&>(engine).hand_over_after(5 + seed % 40);
        };
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

TEST_CASE("a stopped search for what is lost goes on from its checkpoint") {
  u32 resumed = 0;
  for (u32 seed = 1; seed <= rounds(30); ++seed) {
    Random random(seed + 900);
    LiveGraph g(seed * 5, 2000);
    const int lost = g.lost_level();
    Disk disk(32 << 20);
    SearchOptions search = options();
    Checkpoints checkpoints(1 + random() % 5);
    search.checkpoints = &checkpoints;
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
      Trial run("live");
      run.prepare = [&](Engine& engine) {
        static_cast<CycleEngine&>(engine).hand_over_after(5 + seed % 40);
      };
      search.resume = checkpoints.count == 0 ? nullptr : &from;
      const Status status = run.go(g.model(), search, disk.folder, seed % 2 * 4'000'000, control);
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
