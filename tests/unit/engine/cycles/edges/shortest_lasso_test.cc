#include "engine/cycles/edges/shortest_lasso.h"

#include "edge_trial.h"
#include "random_product.h"

using namespace xmc;
using namespace xmc_test;

namespace shortest_lasso_test {

namespace {

struct LassoTrial : EdgeTrial {
  LassoTrial(Graph& graph, u32 seed, std::size_t memory_bytes = 1 << 20)
      : EdgeTrial(graph, seed, memory_bytes) {}

  void start(bool weak, u64 graph_bytes, u64 first_states) {
    ShortestLasso::Setup setup;
    setup.edges = &edges;
    setup.reader = &reader;
    setup.read_buffer = slots(1, 2);
    setup.layer_buffer = slots(3, 1);
    setup.memory = memory.memory;
    setup.folder = &disk.folder;
    setup.weak = weak;
    setup.graph_bytes = graph_bytes;
    setup.first_states = first_states;
    lasso.start(setup, WorkPoll(product));
  }
  void build_to(const NodeClasses& classes, u64 level_number) {
    REQUIRE(build(classes, level_end(level_number)).ok());
  }

  void check_cycle(const LassoResult& result) {
    REQUIRE(result.found);
    REQUIRE(!result.cycle.empty());
    bool accepting = false;
    for (std::size_t i = 0; i < result.cycle.size(); ++i) {
      const u32 v = by_number[result.cycle[i]];
      const u32 w = by_number[result.cycle[(i + 1) % result.cycle.size()]];
      accepting = accepting || g.accepting[v] != 0;
      REQUIRE(std::count(g.edges[v].begin(), g.edges[v].end(), w) > 0);
      REQUIRE(static_cast<u64>(level[v]) >= result.prefix_steps);
    }
    REQUIRE(accepting);
    REQUIRE(static_cast<u64>(level[by_number[result.cycle[0]]]) == result.prefix_steps);
  }

  // A shortest one of `wanted` steps; kFar: there is none.
  void check_all(u64 wanted) {
    LassoResult result;
    const Status status = lasso.check_all(result);
    CAPTURE(status.c_str());
    REQUIRE(status.ok());
    REQUIRE(result.found == (wanted != kFar));
    REQUIRE(result.none == (wanted == kFar));
    if (!result.found) return;
    check_cycle(result);
    REQUIRE(result.shortest);
    REQUIRE(result.total() == wanted);
  }
  void check_any(bool wanted) {
    LassoResult result;
    REQUIRE(lasso.find_any(result).ok());
    REQUIRE(result.found == wanted);
    REQUIRE(result.none == !wanted);
    if (result.found) check_cycle(result);
  }
  // While the states become known, some levels at a time.
  void check_prefixes(const NodeClasses& classes, u64 wanted, u64 stride) {
    for (u64 last = 0;; last += stride) {
      last = std::min(last, last_level());
      build_to(classes, last);
      LassoResult result;
      CAPTURE(last);
      REQUIRE(lasso.check_prefix(last, result).ok());
      REQUIRE(!result.none);
      REQUIRE(result.found == (wanted <= last + 1));
      if (result.found) {
        check_cycle(result);
        REQUIRE(result.shortest);
        REQUIRE(result.total() == wanted);
        return;
      }
      REQUIRE(result.none_up_to == last + 1);
      if (last == last_level()) break;
    }
    check_all(wanted);
  }

  EdgeReader reader;
  ShortestLasso lasso;
};

constexpr u64 kInMemory = ~u64{0};
constexpr u64 kInFile = 0;

// All ways of looking at one product.
void check_product(Graph& g, const NodeClasses& classes, bool weak, u32 seed) {
  const u64 wanted = naive_lasso(g);
  CAPTURE(wanted);
  for (const u64 graph_bytes : {kInMemory, kInFile}) {
    CAPTURE(graph_bytes);
    LassoTrial trial(g, seed);
    trial.build_to(classes, trial.last_level());
    for (const u64 first_states : {u64{1}, u64{16384}}) {
      trial.start(weak, graph_bytes, first_states);
      trial.check_all(wanted);
      if (wanted != kFar) CHECK(trial.lasso.figures().in_file == (graph_bytes == kInFile));
      trial.check_all(wanted);  // goes on from what is proved
      trial.start(weak, graph_bytes, first_states);
      trial.check_any(wanted != kFar);
    }
    LassoTrial growing(g, seed);
    growing.start(weak, graph_bytes, 1);
    growing.check_prefixes(classes, wanted, 1 + seed % 3);
  }
}

// Long paths and few ways back.
Graph random_chain(u32 seed, u32 nodes) {
  Random random(seed);
  Graph g(nodes);
  for (u32 v = 0; v + 1 < nodes; ++v) g.edges[v].push_back(v + 1);
  const u32 more = random() % (nodes / 2 + 2);
  for (u32 i = 0; i < more; ++i) g.edges[random() % nodes].push_back(random() % nodes);
  return g;
}

Graph random_product(u32 seed) {
  const u32 nodes = 1 + seed % 47;
  Graph g = seed % 3 == 0 ? random_chain(seed, nodes) : random_graph(seed, nodes, 1 + seed % 4);
  g.buchi = true;
  return g;
}

}  // namespace

TEST_CASE("shortest lassos of random products are those of the definition") {
  u32 found = 0;
  u32 apart = 0;
  for (u32 seed = 1; seed <= rounds(3000); ++seed) {
    CAPTURE(seed);
    Graph g = random_product(seed);
    Random random(seed * 31);
    const u32 rarity = 1 + seed % 13;
    for (u32 v = 0; v < g.size(); ++v) g.accepting[v] = random() % rarity == 0 ? 1 : 0;
    NodeClasses classes{&g, std::vector<u32>(g.size(), 1)};
    // Components in classes, as those of an automaton would be; some without accepting states die.
    if (seed % 2 == 0) {
      classes.of_node = naive_components(g);
      std::vector<bool> accepts(g.size(), false);
      for (u32 v = 0; v < g.size(); ++v) {
        if (g.accepting[v] != 0) accepts[classes.of_node[v]] = true;
      }
      for (u32& c : classes.of_node) c = accepts[c] || c % 2 == 0 ? 1 + c % 3 : 0;
      ++apart;
    }
    check_product(g, classes, false, seed);
    found += naive_lasso(g) != kFar ? 1 : 0;
  }
  CHECK(found > rounds(3000) / 4);
  CHECK(found < rounds(3000));
  CHECK(apart > 0);
}

TEST_CASE("shortest lassos of random weak products") {
  u32 found = 0;
  for (u32 seed = 1; seed <= rounds(1500); ++seed) {
    CAPTURE(seed);
    Graph g = random_product(seed);
    NodeClasses classes{&g, naive_components(g)};
    // All states of a component are accepting, or it is not live.
    for (u32 v = 0; v < g.size(); ++v) {
      const u32 c = classes.of_node[v];
      g.accepting[v] = (c * 2654435761u + seed) % 5 < 2 ? 1 : 0;
      classes.of_node[v] = g.accepting[v] != 0 ? 1 + c % 2 : 0;
    }
    check_product(g, classes, true, seed);
    found += naive_lasso(g) != kFar ? 1 : 0;
  }
  CHECK(found > rounds(1500) / 5);
}

TEST_CASE("cases that naive searches get wrong") {
  const auto check = [](Graph& g, u64 wanted) {
    g.buchi = true;
    REQUIRE(naive_lasso(g) == wanted);
    const NodeClasses classes{&g, std::vector<u32>(g.size(), 1)};
    for (u32 seed = 1; seed < 6; ++seed) check_product(g, classes, false, seed);
  };
  Graph loop(1);  // a cycle of one step
  loop.edges = {{0}};
  loop.accepting = {1};
  check(loop, 1);
  loop.accepting = {0};
  check(loop, kFar);

  Graph tail(4);  // the core is trimmed once and stays, but nothing in it is accepting
  tail.edges = {{1}, {2}, {3, 1}, {}};
  tail.accepting = {1, 0, 0, 1};
  check(tail, kFar);

  // The accepting state is not on the seed: 0 -> 1 -> 2 -> 3 -> 1 with 3 accepting, and a shorter
  // way to 3 than its cycle's seed has.
  Graph off(5);
  off.edges = {{1}, {2}, {3}, {1}, {}};
  off.accepting = {0, 0, 0, 1, 0};
  check(off, 4);

  // A cycle through an accepting state whose way back leaves the ball of the shortest cycle.
  Graph wide(9);
  wide.edges = {{1}, {2, 5}, {3}, {4}, {1}, {6}, {7}, {8}, {5}};
  wide.accepting = {0, 0, 0, 1, 0, 0, 0, 1, 0};
  check(wide, 5);

  // The first core is deep, the shortest lasso is longer than it: two cycles that need both.
  Graph both(7);
  both.edges = {{1}, {2}, {3, 1}, {4}, {5}, {6}, {3, 0}};
  both.accepting = {0, 0, 0, 0, 0, 1, 0};
  check(both, 7);

  // Foreign successors: the last levels lead to states that are not known yet.
  Graph comb(60);
  for (u32 v = 0; v < 59; ++v) comb.edges[v] = {v + 1};
  comb.edges[59] = {20};
  comb.accepting[40] = 1;
  check(comb, 60);

  // Long alternation: each pass removes one state of a chain against the order of numbers.
  Graph alternation(300);
  for (u32 v = 0; v < 300; ++v) alternation.edges[0].push_back(v);
  for (u32 v = 2; v < 300; ++v) alternation.edges[v] = {v - 1};
  alternation.accepting.assign(300, 1);
  alternation.edges[0].erase(alternation.edges[0].begin());
  check(alternation, kFar);
  alternation.edges[1] = {150, 1};
  check(alternation, 2);
}

TEST_CASE("a search can be stopped at any poll and made again") {
  Graph g = random_chain(99, 400);
  g.buchi = true;
  for (u32 v = 100; v < 400; v += 37) g.accepting[v] = 1;
  g.edges[399] = {300};
  const u64 wanted = naive_lasso(g);
  REQUIRE(wanted != kFar);
  const NodeClasses classes{&g, std::vector<u32>(g.size(), 1)};
  for (const u64 graph_bytes : {kInMemory, kInFile}) {
    LassoTrial trial(g, 4);
    trial.build_to(classes, trial.last_level());
    Stopper stopper;
    stopper.take(trial.control);
    u32 stops = 0;
    for (u32 at = 1; at < 60; ++at) {
      stopper = {0, at};
      trial.start(false, graph_bytes, 1);
      for (bool done = false; !done; stopper = {1000000, 0}) {
        LassoResult result;
        Status status = trial.lasso.check_all(result);
        done = status.take_stop() == StopReason::none;
        REQUIRE(status.ok());
        stops += done ? 0 : 1;
        REQUIRE(result.found == done);
        if (done) REQUIRE(result.total() == wanted);
      }
    }
    CHECK(stops > 5);
  }
}

TEST_CASE("too little memory for the bits is a message") {
  Graph g = random_graph(3, 5000, 3);
  g.buchi = true;
  g.accepting.assign(5000, 1);
  LassoTrial trial(g, 1, 1 << 18);
  const NodeClasses classes{&g, std::vector<u32>(g.size(), 1)};
  trial.build_to(classes, trial.last_level());
  trial.start(false, kInFile, 1);
  LassoResult result;
  ShortestLasso small;
  ShortestLasso::Setup setup;
  setup.edges = &trial.edges;
  setup.reader = &trial.reader;
  setup.read_buffer = trial.slots(1, 2);
  setup.layer_buffer = trial.slots(3, 1);
  setup.folder = &trial.disk.folder;
  setup.memory = trial.memory.memory.first(512);
  small.start(setup, WorkPoll(trial.product));
  CHECK(small.check_all(result).code() == Code::budget);
}

}  // namespace shortest_lasso_test
