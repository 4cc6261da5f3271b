#include "engine/cycles/edges/edge_builder.h"

#include "edge_trial.h"

using namespace xmc;
using namespace xmc_test;

namespace edge_builder_test {

namespace {

// Some components are live, in some classes.
NodeClasses random_classes(const Graph& g, u32 seed) {
  NodeClasses classes{&g, naive_components(g)};
  for (u32& c : classes.of_node) c = (c * 2654435761u + seed) % 4;
  return classes;
}

}  // namespace

TEST_CASE("edges of random products, in little memory and in parts") {
  for (u32 seed = 1; seed <= rounds(300); ++seed) {
    CAPTURE(seed);
    const u32 words = 1 + seed % 3;
    Graph g =
        random_graph(seed, 1 + seed % 120, 1 + seed % 7, words, 8 * (words - 1) + 2 + seed % 6);
    g.buchi = true;
    Random random(seed);
    for (u32 v = 0; v < g.size(); ++v) g.accepting[v] = random() % 3 == 0;
    const NodeClasses classes = random_classes(g, seed);
    const u64 least = EdgeBuilder::minimum_bytes(g.model());
    EdgeTrial trial(g, seed, static_cast<std::size_t>(least + seed % 5 * 3000));
    // First some levels, then all.
    const u64 part = trial.level_end(seed % 4);
    trial.product.states = trial.level_end(seed % 4 + 1);
    trial.product.expanded = part;
    REQUIRE(trial.build(classes, part).ok());
    trial.check_edges(classes, part);
    trial.product.states = trial.product.expanded = trial.by_number.size();
    REQUIRE(trial.build(classes, trial.by_number.size()).ok());
    trial.check_edges(classes, trial.by_number.size());
    CHECK(trial.outcome.stats.transitions == kNoFigure);
  }
}

TEST_CASE("a larger product takes several blocks, stops between them and goes on") {
  Graph g = random_graph(5, 30000, 4, 2, 13);
  for (u32 v = 1; v < g.size(); ++v) g.edges[(v - 1) / 2].push_back(v);
  g.edges[7].resize(3000);
  for (u32 i = 0; i < 3000; ++i) g.edges[7][i] = 29999 - i * 3;
  g.buchi = true;
  NodeClasses classes{&g, std::vector<u32>(g.size(), 1)};
  // One state has more successors than there is always room for, and the amount is named.
  EdgeTrial small(g, 3, static_cast<std::size_t>(EdgeBuilder::minimum_bytes(g.model())));
  const Status refused = small.build({}, small.by_number.size());
  CHECK(refused.code() == Code::budget);
  CHECK(std::string(refused.c_str()).find("a state has 3000 successors") == 0);
  EdgeTrial trial(g, 3, static_cast<std::size_t>(EdgeBuilder::bytes_for(g.model(), 3000)));
  Stopper stopper;
  stopper.take(trial.control);
  u32 stops = 0;
  for (u32 at = 30; trial.edges.states() < trial.by_number.size(); at = at * 2 + 1) {
    stopper = {0, at};
    Status status = trial.build({}, trial.by_number.size());
    if (status.take_stop() == StopReason::signal) ++stops;
    REQUIRE(status.ok());
    // What a checkpoint would leave.
    if (stops == 3) REQUIRE(trial.edges.flush().ok());
  }
  CHECK(stops >= 2);
  CHECK(trial.builder.figures().blocks > 2);
  trial.check_edges(classes, trial.by_number.size());
}

// A block that is full in the last states of a level has looked at the first ones of the next:
// their successors are two levels ahead, and in another slot of the queue.
TEST_CASE("blocks that end with a level") {
  for (u32 seed = 1; seed <= rounds(9); ++seed) {
    CAPTURE(seed);
    Random random(seed);
    const u32 width = 2500 + seed * 171;
    Graph g(8 * width, 2, 16);
    for (u32 v = 1; v < width; ++v) g.edges[(v - 1) / 2].push_back(v);
    for (u32 v = width / 2; v < g.size(); ++v) {
      if (v + width < g.size()) g.edges[v].push_back(v + width);
      if (v >= width) g.edges[v].push_back(v - random() % width);
    }
    g.buchi = true;
    const NodeClasses classes{&g, std::vector<u32>(g.size(), 1)};
    const u64 least = EdgeBuilder::minimum_bytes(g.model());
    EdgeTrial trial(g, seed, static_cast<std::size_t>(least + 20000 + seed * 1300));
    const Status status = trial.build({}, trial.by_number.size());
    INFO(status.message());
    CHECK(status.ok());
    if (!status.ok()) continue;
    CHECK(trial.builder.figures().blocks > 10);
    trial.check_edges(classes, trial.by_number.size());
  }
}

// Steps back of any length, in little memory: far successors of several blocks wait together.
TEST_CASE("records wait for the numbers of far successors") {
  for (u32 seed = 1; seed <= rounds(12); ++seed) {
    CAPTURE(seed);
    // Levels of 3 to 30 states, steps to the next ones and back, one in forty anywhere.
    Random random(seed);
    Graph g(40000, 2, 13);
    const u32 width = 3 + seed % 4 * 9;
    for (u32 v = 0; v < g.size(); ++v) {
      for (u32 i = 1; i <= width; ++i) {
        if (v % width == 0 && v + i < g.size()) g.edges[v].push_back(v + i);
      }
      g.edges[v].push_back(random() % 40 == 0 ? random() % g.size() : v - std::min(v, v % 50));
    }
    g.buchi = true;
    for (u32 v = 0; v < g.size(); ++v) g.accepting[v] = v % 3 == 0;
    NodeClasses classes{&g, std::vector<u32>(g.size(), 1)};
    const u64 memory = 700'000 + EdgeBuilder::minimum_bytes(g.model());
    EdgeTrial trial(g, seed, static_cast<std::size_t>(memory));
    trial.builder.set_far_limits({1, 0, 0, 0});
    REQUIRE(trial.build(classes, trial.by_number.size()).ok());
    CHECK(trial.builder.figures().settled > 0);
    CHECK(trial.builder.figures().settled < trial.builder.figures().blocks);
    trial.check_edges(classes, trial.by_number.size());
  }
}

TEST_CASE("a successor that is not in the queue is an error") {
  Graph g(3);
  g.edges = {{1}, {2}, {0}};
  g.buchi = true;
  EdgeTrial trial(g, 1, 1 << 18);
  trial.product.states = 2;
  trial.product.expanded = 2;
  const Status status = trial.build({}, 2);
  CHECK(status.code() == Code::internal);
}

}  // namespace edge_builder_test
