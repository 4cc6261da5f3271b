// Owcty by itself: against the components of random graphs, and on graphs that naive code gets
// wrong. Each of those was seen to fail with the code that its comment names.
#include "engine/cycles/edges/owcty.h"

#include "edge_trial.h"
#include "numbered_edges.h"
#include "random_product.h"

using namespace xmc;
using namespace xmc_test;

namespace owcty_test {

namespace {

// Until it is done. With stops: after one poll, after two and so on, and taken up elsewhere.
void run(Owcty& owcty, EdgeReader& reader, const Product& product, RunControl& control,
         std::span<u8> memory, bool weak, bool stops) {
  Stopper stopper{0, 1};
  stopper.take(control);
  if (!stops) control = {};
  WorkPoll poll(product);
  const u64 states = reader.file().states();
  owcty.start(states, weak, memory);
  for (u32 rounds = 0; !owcty.done(); ++rounds) {
    REQUIRE(rounds < 1000);
    const Status status = owcty.pass(reader, poll);
    if (status.stop_reason() == StopReason::none) REQUIRE(status.ok());
    if (status.ok()) continue;
    PassCheckpoint place;
    REQUIRE(owcty.save_place(place));
    const std::vector<u64> words(owcty.words().begin(), owcty.words().end());
    owcty.start(states, weak, memory);
    std::copy(words.begin(), words.end(), owcty.words().begin());
    owcty.go_on(place);
    stopper = {0, stopper.at + 1};
  }
}

struct OwctyTrial : EdgeTrial {
  OwctyTrial(Graph& graph, u32 seed) : EdgeTrial(graph, seed, 1 << 20) {
    const NodeClasses classes{&graph, std::vector<u32>(graph.size(), 1)};
    REQUIRE(build(classes, by_number.size()).ok());
    reader.start(edges, slots(1, 2));
  }

  void check(bool weak, bool stops) {
    run(owcty, reader, product, control, memory.memory, weak, stops);
    const NaiveCycles cycles(g);
    for (u64 s = 0; s < edges.states(); ++s) {
      const u32 v = by_number[static_cast<std::size_t>(s)];
      if (cycles.on_cycle[v]) REQUIRE(owcty.states().test(s));
    }
    REQUIRE(owcty.has_cycle() == cycles.found);
  }

  EdgeReader reader;
  Owcty owcty;
};

// Passes until it is finished; kNone: it gave up.
u32 passes(NumberedEdges& edges, bool weak, bool cycle, bool stops = false) {
  Owcty owcty;
  run(owcty, edges.reader, edges.product, edges.control, edges.memory.memory, weak, stops);
  if (!cycle) REQUIRE(!owcty.has_cycle());
  const bool any = owcty.states().any(0, owcty.states().size());
  if (any && !owcty.has_cycle()) return kNone;
  REQUIRE(owcty.has_cycle() == cycle);
  return static_cast<u32>(owcty.figures().passes);
}

}  // namespace

TEST_CASE("what owcty leaves of random products has their accepting cycles") {
  u32 found = 0;
  for (u32 seed = 1; seed <= rounds(1500); ++seed) {
    CAPTURE(seed);
    Graph g = random_product(seed, seed % 10 == 0 ? 900 : 40);
    g.classes.clear();
    OwctyTrial trial(g, seed);
    trial.check(false, seed % 2 == 0);
    found += trial.owcty.has_cycle() ? 1 : 0;
    std::fill(g.accepting.begin(), g.accepting.end(), u8{1});
    OwctyTrial weak(g, seed);
    weak.check(true, seed % 2 == 0);
  }
  CHECK(found > rounds(1500) / 8);
  CHECK(found < rounds(1500));
}

// Dropping at the end of a pass what has no mark takes a pass for each state of the chain.
TEST_CASE("owcty drops a chain in the order of numbers in a few passes") {
  for (const bool weak : {true, false}) {
    NumberedEdges chain;
    for (u64 v = 0; v < 5000; ++v) chain.add(weak || v % 7 == 0, {v + 1});
    chain.add(weak, {});
    CHECK(passes(chain, weak, false) <= 6);
  }
}

// Against the order each pass drops one state: it gives up, and does not say that there is a cycle.
TEST_CASE("owcty leaves a long chain against the order of numbers to others") {
  for (const bool weak : {true, false}) {
    NumberedEdges chain;
    chain.add(true, {});
    for (u64 v = 1; v < 300; ++v) chain.add(true, {v - 1});
    CHECK(passes(chain, weak, false) == kNone);
    NumberedEdges short_chain;
    short_chain.add(true, {});
    for (u64 v = 1; v < 20; ++v) short_chain.add(true, {v - 1});
    CHECK(passes(short_chain, weak, false) <= 40);
  }
}

// Without the reach step that follows, a trimming that drops nothing would be the end.
TEST_CASE("owcty does not take a cycle behind an accepting state for an accepting one") {
  NumberedEdges behind;
  behind.add(true, {1});
  behind.add(false, {2});
  behind.add(false, {1, 3});
  behind.add(true, {});
  CHECK(passes(behind, false, false) <= 8);
  NumberedEdges on;
  on.add(true, {1});
  on.add(false, {2});
  on.add(true, {1});
  CHECK(passes(on, false, true) <= 8);
}

// A first pass that drops what has no mark yet loses a state whose only predecessor comes later;
// one that takes marks of this pass only loses it in the second.
TEST_CASE("owcty keeps states whose predecessors have larger numbers, or are themselves") {
  for (const bool weak : {true, false}) {
    NumberedEdges self;
    self.add(true, {0});
    CHECK(passes(self, weak, true) <= 4);
    NumberedEdges back;
    back.add(true, {5});
    for (u64 v = 1; v < 5; ++v) back.add(weak, {v - 1});
    back.add(weak, {4});
    CHECK(passes(back, weak, true) <= 8);
  }
}

// A record that is cut has its state's turn once: a piece that asks for the mark again drops it.
TEST_CASE("owcty takes all pieces of a record, stopped in between or not") {
  constexpr u64 kStates = 150'000;
  for (const bool weak : {true, false}) {
    for (const bool stops : {false, true}) {
      NumberedEdges star;
      std::vector<u64> all(kStates);
      std::iota(all.begin(), all.end(), u64{1});
      star.add(true, all);
      for (u64 v = 1; v < kStates; ++v) star.add(weak, {});
      star.add(weak, {0});
      CHECK(passes(star, weak, true, stops) != kNone);
    }
  }
}

// A state that is reached and leads nowhere never sends its mark on.
TEST_CASE("owcty does not wait for states that lead nowhere") {
  NumberedEdges fan;
  fan.add(true, {1, 2, 3, 4});
  fan.add(false, {4, 5});
  for (u32 v = 2; v < 6; ++v) fan.add(v == 5, {});
  CHECK(passes(fan, false, false) <= 4);
}

}  // namespace owcty_test
