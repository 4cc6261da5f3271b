// A search that is divided among owners on a simulated network, whose order of events differs from
// seed to seed, against the search of one owner.
#include <doctest/doctest.h>

#include <vector>

#include "engine/ram/owned_bfs.h"
#include "engine/ram/ram.h"
#include "graph_models.h"
#include "peers_rigs.h"
#include "simulated_trial.h"

using namespace xmc;
using namespace xmc_test;

namespace simulated_owners_test {

using xmc::test::SimulatedOwners;

namespace {

struct Run {
  Run(const Model& model, SimulatedOwners& mail, Parallel* parallel, SearchOptions options)
      : region(1 << 21), arena(region.memory) {
    for (u32 i = 0; i < mail.peers->count(); ++i) {
      seats.push_back(&mail.peers->at(i));
      executors.push_back(model.self);
    }
    options.parallel = parallel;
    options.executors = executors.data();
    options.owners = seats;
    REQUIRE(engine.divides(model, options));
    REQUIRE(engine.plan(model, options, arena).ok());
    arena.seal();
    REQUIRE(engine.run({}, outcome).ok());
  }
  Region region;
  Arena arena;
  std::vector<Peers*> seats;
  std::vector<void*> executors;
  RamEngine engine;
  SearchOutcome outcome;
};

}  // namespace

TEST_CASE("owners on a simulated network find what one owner finds") {
  for (u32 seed = 1; seed <= 60; ++seed) {
    Graph g = random_graph(seed, 20 + seed * 5, 1 + seed % 5);
    Random random(seed);
    for (u32 v = 0; v < g.size(); ++v) {
      if (random() % 150 == 0) g.violated[v] = random() % 4;
    }
    SearchOptions options;
    options.full = seed % 3 != 0;
    options.deadlock = seed % 2 == 0 ? DeadlockRule::stuck : DeadlockRule::ignore;
    SimulatedPeers::Network network;
    network.jitter_ns = seed % 4 * 200'000;
    network.seed = seed;
    CAPTURE(seed);
    SimulatedOwners alone(1, 64, network);
    Run one(g.model(), alone, nullptr, options);
    const bool violated = one.outcome.violation != Violation::none;
    for (u32 count = 2; count <= 5; ++count) {
      CAPTURE(count);
      SimulatedOwners mail(count, 64, network);
      LeavingThreads leaving(*mail.peers);
      Run run(g.model(), mail, &leaving, options);
      REQUIRE(run.outcome.complete == one.outcome.complete);
      REQUIRE(run.outcome.violation == one.outcome.violation);
      REQUIRE(run.outcome.stats.states == one.outcome.stats.states);
      REQUIRE(run.outcome.stats.transitions == one.outcome.stats.transitions);
      REQUIRE(run.outcome.stats.levels == one.outcome.stats.levels);
      REQUIRE(run.outcome.stats.deadlocks == one.outcome.stats.deadlocks);
      if (violated)
        REQUIRE(engine_path(run.engine, g, run.outcome) == engine_path(one.engine, g, one.outcome));
    }
  }
}

TEST_CASE("owners on a simulated network: a lost one ends the search, and nothing is decided") {
  Graph g = random_graph(3, 3'000, 3);
  SearchOptions options;
  options.deadlock = DeadlockRule::ignore;
  u32 ended = 0;
  for (u64 calls = 0; calls < 3000; calls += 1 + calls / 5) {
    SimulatedPeers::Loss loss;
    loss.owner = static_cast<u32>(calls % 3);
    loss.after_calls = calls;
    SimulatedOwners mail(3, 64, {}, loss);
    LeavingThreads leaving(*mail.peers);
    Run run(g.model(), mail, &leaving, options);
    CAPTURE(calls);
    if (run.outcome.complete) continue;
    ++ended;
    REQUIRE(run.outcome.stop == SimulatedPeers::kLost);
  }
  CHECK(ended > 20);
}

}  // namespace simulated_owners_test
