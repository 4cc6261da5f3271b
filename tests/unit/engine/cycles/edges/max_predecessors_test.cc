// MaxPredecessors by itself: against the components of random graphs, and on graphs that naive
// code gets wrong. Each of those was seen to fail with the code that its comment names.
#include "engine/cycles/edges/max_predecessors.h"

#include "edge_trial.h"
#include "numbered_edges.h"
#include "random_product.h"

using namespace xmc;
using namespace xmc_test;

namespace max_predecessors_test {

namespace {

// Until it is done. With stops: after one poll, after two and so on, and taken up elsewhere.
void run(MaxPredecessors& map, EdgeReader& reader, const Product& product, RunControl& control,
         std::span<u8> memory, bool stops) {
  Stopper stopper{0, 1};
  stopper.take(control);
  if (!stops) control = {};
  WorkPoll poll(product);
  const u64 states = reader.file().states();
  map.start(states, memory);
  for (u32 rounds = 0; !map.done(); ++rounds) {
    if (rounds > 5000) return;
    const Status status = map.pass(reader, poll);
    if (status.stop_reason() == StopReason::none) REQUIRE(status.ok());
    if (status.ok()) continue;
    stopper = {0, stopper.at + 1};
    PassCheckpoint place;
    place.states = states;
    if (!map.save_place(place)) {
      map.start(states, memory);
      continue;
    }
    const std::vector<u64> words(map.words().begin(), map.words().end());
    std::fill(memory.begin(), memory.end(), u8{0xA5});
    REQUIRE(map.start(place, states, memory));
    std::copy(words.begin(), words.end(), map.words().begin());
    map.go_on(place);
  }
}

struct MapTrial : EdgeTrial {
  MapTrial(Graph& graph, u32 seed) : EdgeTrial(graph, seed, 1 << 20) {
    const NodeClasses classes{&graph, std::vector<u32>(graph.size(), 1)};
    REQUIRE(build(classes, by_number.size()).ok());
    reader.start(edges, slots(1, 2));
  }

  void check(bool stops) {
    run(map, reader, product, control, memory.memory, stops);
    REQUIRE(map.done());
    REQUIRE(map.has_cycle() == NaiveCycles(g).found);
    REQUIRE(map.has_cycle() == map.states().any(0, edges.states()));
    REQUIRE(map.has_cycle() == left_has_cycle());
  }

  // Whether an accepting state that is left has a way back to itself among these.
  bool left_has_cycle() const {
    Graph left = g;
    const auto is_left = [&](u32 v) {
      return number[v] != ~u64{0} && map.states().test(number[v]);
    };
    for (u32 v = 0; v < g.size(); ++v) {
      std::erase_if(left.edges[v], [&](u32 w) { return !is_left(v) || !is_left(w); });
    }
    const std::vector<u32> component = naive_components(left);
    for (u32 v = 0; v < g.size(); ++v) {
      for (const u32 w : left.edges[v]) {
        if (g.accepting[v] != 0 && component[v] == component[w]) return true;
      }
    }
    return false;
  }

  EdgeReader reader;
  MaxPredecessors map;
};

// Rounds until the right answer is there; kNone: it does not come.
u32 map_rounds(NumberedEdges& edges, bool cycle, bool stops = false) {
  MaxPredecessors map;
  run(map, edges.reader, edges.product, edges.control, edges.memory.memory, stops);
  if (!map.done() || map.has_cycle() != cycle) return kNone;
  return static_cast<u32>(map.rounds());
}

}  // namespace

TEST_CASE("map finds the accepting cycles of random products") {
  u32 found = 0;
  for (u32 seed = 1; seed <= rounds(1500); ++seed) {
    CAPTURE(seed);
    Graph g = random_product(seed, seed % 10 == 0 ? 900 : 40);
    g.classes.clear();
    MapTrial trial(g, seed);
    trial.check(seed % 2 == 0);
    found += trial.map.has_cycle() ? 1 : 0;
  }
  CHECK(found > rounds(1500) / 8);
  CHECK(found < rounds(1500));
}

// One round proves nothing: the value of the larger state, which is on no cycle, comes to the cycle
// before that of its own accepting state is around.
TEST_CASE("map finds a cycle that a larger accepting state shadows") {
  for (const bool stops : {false, true}) {
    NumberedEdges shadowed;
    shadowed.add(false, {7});
    for (u64 v = 1; v < 7; ++v) shadowed.add(v == 3, {v == 6 ? 1 : v + 1});  // the cycle
    shadowed.add(false, {8});
    shadowed.add(true, {1, 9});
    shadowed.add(false, {});
    CHECK(map_rounds(shadowed, true, stops) == 2);
  }
}

// Shadows one behind the other, each larger. To make all accepting states count no more, and not
// only those that are a value, loses the cycle.
TEST_CASE("map finds a cycle behind a row of shadows") {
  constexpr u64 kShadows = 40;
  for (const bool cycle : {false, true}) {
    for (const bool stops : {false, true}) {
      NumberedEdges row;
      row.add(true, {2});
      row.add(false, cycle ? std::vector<u64>{0} : std::vector<u64>{});
      row.add(false, {1});
      row.add(true, {1});
      for (u64 v = 4; v < 4 + kShadows; ++v) row.add(true, {v - 1});
      const u32 rounds = map_rounds(row, cycle, stops);
      CHECK(rounds <= kShadows + 2);
      if (cycle) CHECK(rounds >= 2);
    }
  }
}

// With one order in all rounds, each of them takes one state of one of these chains.
TEST_CASE("map does with a few rounds for chains of accepting states") {
  NumberedEdges chain;
  for (u64 v = 0; v < 5000; ++v) chain.add(true, {v + 1});
  chain.add(true, {});
  CHECK(map_rounds(chain, false) <= 4);
  NumberedEdges back;
  back.add(true, {});
  for (u64 v = 1; v < 1000; ++v) back.add(true, {v - 1});
  CHECK(map_rounds(back, false) <= 4);
}

// Without labels, each round takes a state of each layer, or two.
TEST_CASE("map does with a few rounds for layers of accepting states") {
  constexpr u64 kWidth = 60;
  constexpr u64 kLayers = 60;
  NumberedEdges layers;
  for (u64 v = 0; v < kWidth * kLayers; ++v) {
    std::vector<u64> next(kWidth);
    std::iota(next.begin(), next.end(), (v / kWidth + 1) * kWidth);
    layers.add(true, next);
  }
  for (u64 v = 0; v < kWidth; ++v) layers.add(true, {});
  CHECK(map_rounds(layers, false) <= 6);
}

// A state whose value is its own only by a path of no step is on no cycle; with one step it is.
TEST_CASE("map tells a state with a step to itself from one without") {
  NumberedEdges self;
  self.add(false, {1});
  self.add(true, {1});
  CHECK(map_rounds(self, true) == 1);
  NumberedEdges none;
  none.add(false, {1});
  none.add(true, {2});
  none.add(false, {2});
  CHECK(map_rounds(none, false) != kNone);
}

TEST_CASE("map says how much memory its values need") {
  NumberedEdges chain;
  for (u64 v = 0; v < 5000; ++v) chain.add(true, {v + 1});
  MaxPredecessors map;
  const u64 bytes = MaxPredecessors::bytes_for(5000, 5000);
  run(map, chain.reader, chain.product, chain.control,
      chain.memory.memory.first(static_cast<std::size_t>(bytes - 8)), false);
  REQUIRE(map.done());
  CHECK(map.bytes_needed() == bytes);
  CHECK(!map.has_cycle());
}

}  // namespace max_predecessors_test
