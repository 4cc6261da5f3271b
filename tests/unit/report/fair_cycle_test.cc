// Loops that are fair to each process, and loops that are not.
#include "trace/fair_cycle.h"

#include <doctest/doctest.h>

#include "sample.h"

using namespace xmc;

namespace fair_cycle_test {

using sample::Graph;
using sample::Path;

namespace {

constexpr u32 kProperty = 2;
// Labels of the sample: 0 and 2 are steps of P, 1 is P with Q, 4 is the property alone.
const Word kA = sample::state(0, 0, 0, 0);
const Word kB = sample::state(1, 1, 0, 0);
const Word kC = sample::state(1, 2, 0, 1);

std::string confirm(Graph& graph, std::vector<Word> states, u64 loop_start) {
  sample::Memory memory;
  const ModelText text = sample::text();
  Replay replay;
  replay.plan(graph.model(), memory.arena);
  FairCycle fair;
  fair.plan(text, kProperty, memory.arena);
  memory.arena.seal();
  TraceClaim claim;
  claim.violation = Violation::accepting_cycle;
  claim.steps = states.size() - 1;
  claim.loop_start = loop_start;
  Path path{std::move(states)};
  const Status status = fair.confirm(replay, path.chooser(), claim);
  if (!status.ok()) CHECK(status.code() == Code::internal);
  return std::string(status.message());
}

const char* const kUnfairToQ =
    "the cycle of the trace is not fair: process Q is enabled and does not move";

}  // namespace

TEST_CASE("a process that is enabled all along the loop has to move in it") {
  Graph graph;
  graph.initial = {kA};
  graph.edge(kA, 0, kB);
  graph.edge(kA, 1, kC);
  graph.edge(kB, 2, kA);
  graph.edge(kB, 1, kC);
  graph.edge(kC, 2, kA);
  CHECK(confirm(graph, {kA, kB, kA}, 0) == kUnfairToQ);
  // Q moves, as a receiver; but not on the way to the loop.
  CHECK(confirm(graph, {kA, kB, kC, kA}, 0).empty());
  CHECK(confirm(graph, {kA, kC, kA, kB, kA}, 2) == kUnfairToQ);
  // In c it is disabled, too.
  CHECK(confirm(graph, {kA, kB, kC, kA, kB, kA}, 0).empty());
  CHECK(confirm(graph, {kA, kB, kC, kA, kB, kA}, 3) == kUnfairToQ);
}

TEST_CASE("one state without a step of the process is enough") {
  Graph graph;
  graph.initial = {kA};
  graph.edge(kA, 0, kB);
  graph.edge(kA, 1, kC);
  graph.edge(kB, 2, kA);
  CHECK(confirm(graph, {kA, kB, kA}, 0).empty());
  CHECK(confirm(graph, {kA, kB, kA, kB}, 1).empty());
}

TEST_CASE("a deadlock that repeats is fair, and a trace without a loop is not looked at") {
  Graph graph;
  graph.initial = {kA};
  graph.edge(kA, 0, kB);
  graph.edge(kA, 1, kC);
  graph.edge(kB, 4, kB);
  CHECK(confirm(graph, {kA, kB, kB}, 1).empty());
  CHECK(confirm(graph, {kA, kB}, kNoLoop).empty());
}

}  // namespace fair_cycle_test
