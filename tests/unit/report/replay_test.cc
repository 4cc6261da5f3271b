#include "trace/replay.h"

#include <doctest/doctest.h>

#include "sample.h"

using namespace xmc;

namespace replay_test {

using sample::Graph;
using sample::Path;

namespace {

// a -0-> b -1-> c (stuck), b -0-> a, and d apart from them.
const Word kA = sample::state(0, 0, 0, 0);
const Word kB = sample::state(1, 1, 0, 0);
const Word kC = sample::state(1, 2, 0, 1);
const Word kD = sample::state(5, 0, 0, 0);

Graph chain() {
  Graph graph;
  graph.initial = {kA};
  graph.edge(kA, 0, kB);
  graph.edge(kB, 1, kC);
  graph.edge(kB, 2, kA);
  graph.nodes[kD];
  return graph;
}

TraceClaim claim(Violation violation, u64 steps) {
  TraceClaim claim;
  claim.violation = violation;
  claim.steps = steps;
  return claim;
}

std::string confirm(Graph& graph, std::vector<Word> states, const TraceClaim& claim) {
  sample::Memory memory;
  Replay replay;
  replay.plan(graph.model(), memory.arena);
  memory.arena.seal();
  Path path{std::move(states)};
  const Status status = replay.confirm(path.chooser(), claim);
  if (!status.ok()) CHECK(status.code() == Code::internal);
  return std::string(status.message());
}

// An engine that has nothing but a path.
class PathEngine final : public Engine {
 public:
  std::vector<Word> states;
  static constexpr EngineTraits kTraits = {.name = "path", .keeps_files = false};
  const EngineTraits& traits() const override { return kTraits; }
  u64 minimum_bytes(const Model&, const SearchOptions&) const override { return 0; }
  Status plan(const Model&, const SearchOptions&, Arena&) override { return {}; }
  Status run(const RunControl&, SearchOutcome&) override { return {}; }
  void path_state(u64 i, Word* out) override { *out = states.at(static_cast<std::size_t>(i)); }
};

}  // namespace

TEST_CASE("a right path to a deadlock is confirmed") {
  Graph graph = chain();
  CHECK(confirm(graph, {kA, kB, kC}, claim(Violation::deadlock, 2)) == "");
  CHECK(confirm(graph, {kA, kB, kA, kB, kC}, claim(Violation::deadlock, 4)) == "");
}

TEST_CASE("wrong paths are refused") {
  Graph graph = chain();
  CHECK(confirm(graph, {kB, kC}, claim(Violation::deadlock, 1)) ==
        "the trace does not begin in an initial state");
  CHECK(confirm(graph, {kA, kC}, claim(Violation::deadlock, 1)) ==
        "step 1 of the trace is not a step of the model");
  CHECK(confirm(graph, {kA, kB, kD}, claim(Violation::deadlock, 2)) ==
        "step 2 of the trace is not a step of the model");
  CHECK(confirm(graph, {kA, kB}, claim(Violation::deadlock, 1)) ==
        "the last state of the trace is not a deadlock");
  CHECK(confirm(graph, {kA, kB, kC, kA}, claim(Violation::deadlock, 3)) ==
        "step 3 of the trace is not a step of the model");
}

TEST_CASE("stuttering is a deadlock only when asked for") {
  Graph graph = chain();
  graph.edge(kC, 0, kC);
  TraceClaim wanted = claim(Violation::deadlock, 2);
  CHECK(confirm(graph, {kA, kB, kC}, wanted) != "");
  wanted.deadlock = DeadlockRule::stuttering;
  CHECK(confirm(graph, {kA, kB, kC}, wanted) == "");
  graph.edge(kC, 2, kA);
  CHECK(confirm(graph, {kA, kB, kC}, wanted) != "");
}

TEST_CASE("a predicate is violated at the end, and it is the one that was named") {
  Graph graph = chain();
  graph.nodes[kC].violated = 1;
  TraceClaim wanted = claim(Violation::predicate, 2);
  wanted.predicate = 1;
  CHECK(confirm(graph, {kA, kB, kC}, wanted) == "");
  wanted.predicate = 0;
  CHECK(confirm(graph, {kA, kB, kC}, wanted) != "");
  wanted.predicate = 1;
  wanted.steps = 1;
  CHECK(confirm(graph, {kA, kB}, wanted) != "");
  graph.nodes[kB].violated = kNone;
  wanted.predicate = kNone;
  CHECK(confirm(graph, {kA, kB}, wanted) != "");
}

TEST_CASE("an erroneous step is there, with its label") {
  Graph graph = chain();
  graph.nodes[kB].errors = 1;
  graph.nodes[kB].error_label = 2;
  TraceClaim wanted = claim(Violation::model_error, 1);
  wanted.error_label = 2;
  CHECK(confirm(graph, {kA, kB}, wanted) == "");
  wanted.error_label = 0;
  CHECK(confirm(graph, {kA, kB}, wanted) != "");
  wanted.steps = 0;
  CHECK(confirm(graph, {kA}, wanted) != "");
}

TEST_CASE("a lasso closes and has an accepting state on its cycle") {
  Graph graph = chain();
  TraceClaim wanted = claim(Violation::accepting_cycle, 2);
  wanted.loop_start = 0;
  CHECK(confirm(graph, {kA, kB, kA}, wanted) ==
        "no accepting state lies on the cycle of the trace");
  graph.nodes[kB].flags = kAccepting;
  CHECK(confirm(graph, {kA, kB, kA}, wanted) == "");
  CHECK(confirm(graph, {kA, kB, kC}, wanted) == "the cycle of the trace does not close");
  wanted.loop_start = kNoLoop;
  CHECK(confirm(graph, {kA, kB, kA}, wanted) == "the trace has no cycle");
  wanted.loop_start = 2;
  CHECK(confirm(graph, {kA, kB, kA}, wanted) == "the trace has no cycle");

  // Accepting before the cycle only.
  graph.nodes[kB].flags = 0;
  graph.nodes[kA].flags = kAccepting;
  graph.edge(kC, 0, kC);
  wanted = claim(Violation::accepting_cycle, 3);
  wanted.loop_start = 2;
  CHECK(confirm(graph, {kA, kB, kC, kC}, wanted) ==
        "no accepting state lies on the cycle of the trace");
  graph.nodes[kC].flags = kAccepting;
  CHECK(confirm(graph, {kA, kB, kC, kC}, wanted) == "");
}

TEST_CASE("the path of an engine, with labels on demand") {
  Graph graph = chain();
  graph.nodes[kA].edges.insert(graph.nodes[kA].edges.begin(),
                               {kD, 0});  // the same label, another state
  sample::Memory memory;
  PathEngine engine;
  engine.states = {kA, kB, kC};
  Replay replay;
  replay.plan(graph.model(), memory.arena);
  EnginePath path;
  path.plan(engine, graph.model(), {}, memory.arena);
  memory.arena.seal();
  SearchOutcome outcome;
  outcome.violation = Violation::deadlock;
  outcome.prefix_steps = 2;
  CHECK(replay.confirm(path.chooser(), claim_of(outcome, DeadlockRule::stuck)).ok());
  REQUIRE(replay.start(path.chooser()).ok());
  REQUIRE(replay.advance().ok());
  CHECK(replay.label() == 0);
  CHECK(replay.label_repeat() == 1);
  CHECK(*replay.previous() == kA);
  CHECK(*replay.state() == kB);
  REQUIRE(replay.advance().ok());
  CHECK(replay.label() == 1);
  CHECK(replay.label_repeat() == 0);
}

}  // namespace replay_test
