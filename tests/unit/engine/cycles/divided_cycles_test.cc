// Accepting cycles in products whose states are divided among owners, against the components of
// random graphs: owners that are threads, owners on a simulated network, stopped and resumed.
#include <algorithm>

#include "engine/cycles/cycle_engine.h"
#include "flash_trial.h"
#include "lasso_checks.h"
#include "owner_trial.h"
#include "random_product.h"
#include "simulated_trial.h"

using namespace xmc;
using namespace xmc_test;

namespace divided_cycles_test {

using xmc::test::SimulatedOwners;

namespace {

SearchOptions cycle_options(bool full) {
  SearchOptions options;
  options.deadlock = DeadlockRule::ignore;
  options.errors_violate = false;
  options.full = full;
  return options;
}

constexpr const char* kEngines[] = {"owcty", "trim", "min-cex"};

void check_result(const Graph& g, Engine& engine, const SearchOutcome& outcome, bool full) {
  REQUIRE(outcome.stop == StopReason::none);
  const bool violated = NaiveCycles(g).found;
  REQUIRE((outcome.violation != Violation::none) == violated);
  if (violated) check_lasso(g, engine, outcome);
  if (violated && std::string(engine.name()) == "min-cex") {
    REQUIRE(outcome.minimal);
    REQUIRE(outcome.prefix_steps + outcome.cycle_steps == naive_lasso(g));
  }
  if (violated && !full) return;
  check_figures(outcome, naive_figures(g), true);
  REQUIRE(outcome.stats.accepting == naive_figures(g).accepting);
}

// Rings that lead to the next one, of which only the last one may accept; before it single states
// accept, between the rings.
Graph rings(u32 seed) {
  Random random(seed);
  const u32 count = 2 + random() % 6;
  const u32 size = 2 + random() % 5;
  const bool cycle = random() % 2 == 0;
  Graph g(count * (size + 1));
  g.buchi = true;
  for (u32 ring = 0; ring < count; ++ring) {
    const u32 first = ring * (size + 1);
    for (u32 i = 0; i < size; ++i) g.edges[first + i] = {first + (i + 1) % size};
    const u32 bridge = first + size;
    g.edges[first + random() % size].push_back(bridge);
    if (ring + 1 < count) g.edges[bridge] = {bridge + 1 + random() % size};
    g.accepting[bridge] = 1;
    if (cycle && ring + 1 == count) g.accepting[first + random() % size] = 1;
  }
  return g;
}

// A deep accepting ring, from which shallow accepting states are reached that are on no cycle; some
// of them lead on to another ring, which may accept.
Graph decoys(u32 seed) {
  Random random(seed);
  const u32 depth = 3 + random() % 5;
  const u32 size = 2 + random() % 5;
  const u32 count = 1 + random() % 6;
  const u32 ring = depth;
  const u32 other = ring + size;
  const u32 first = other + size;
  Graph g(first + count);
  g.buchi = true;
  for (u32 v = 0; v < depth; ++v) g.edges[v] = {v + 1};
  for (u32 i = 0; i < size; ++i) {
    g.edges[ring + i] = {ring + (i + 1) % size};
    g.edges[other + i] = {other + (i + 1) % size};
  }
  g.accepting[ring + random() % size] = 1;
  if (random() % 2 == 0) g.accepting[other + random() % size] = 1;
  for (u32 i = 0; i < count; ++i) {
    const u32 decoy = first + i;
    g.accepting[decoy] = 1;
    g.edges[0].push_back(decoy);
    g.edges[ring + random() % size].push_back(decoy);
    g.edges[decoy] = {i + 1 < count && random() % 2 == 0 ? decoy + 1 : other + random() % size};
  }
  return g;
}

Graph graph_of(u32 seed) {
  if (seed % 5 == 0) return rings(seed);
  return seed % 5 == 1 ? decoys(seed) : random_product(seed, 10 + seed * 3);
}

}  // namespace

TEST_CASE("divided products: verdict, lasso and figures, the same cycle at every run") {
  u32 violated = 0;
  for (u32 seed = 1; seed <= rounds(70); ++seed) {
    Graph g = graph_of(seed);
    CAPTURE(seed);
    const Model model = g.model();
    const bool full = seed % 3 == 0;
    for (const char* name : kEngines) {
      CAPTURE(std::string(name));
      std::vector<u32> first_path;
      for (u32 run = 0; run < 10; ++run) {
        const u32 count = 1 + run / 2;
        CAPTURE(count);
        // Numbers of states go by owners, but the search of owcty does not.
        if (run % 2 == 0 && std::string(name) != "owcty") first_path.clear();
        Owners owners(model, count, seed % 2 == 0 ? 256 : 1024);
        Disk disk;
        Trial trial(name);
        trial.prepare = [&](Engine& engine) {
          auto& cycles = static_cast<CycleEngine&>(engine);
          if (seed % 4 == 1) cycles.hand_over_after(3 + seed % 20);
          if (seed % 3 != 0) cycles.look_after(1 + seed % 30);
        };
        const SearchOptions options = owners.with(cycle_options(full));
        REQUIRE(trial.engine->divides(model, options));
        const u64 extra = seed % 3 == 1 ? 0 : 1 << 20;
        const Status status = trial.go(model, options, disk.folder, extra);
        INFO(doctest::String(status.c_str()));
        REQUIRE(status.ok());
        check_result(g, *trial.engine, trial.outcome, full);
        if (trial.outcome.violation == Violation::none) continue;
        violated += run == 0 ? 1u : 0u;
        const std::vector<u32> path = engine_path(*trial.engine, g, trial.outcome);
        if (first_path.empty()) first_path = path;
        REQUIRE(path == first_path);
      }
    }
  }
  CHECK(violated > rounds(40));
}

TEST_CASE("divided products on a simulated network, whose order of events differs") {
  for (u32 seed = 1; seed <= rounds(40); ++seed) {
    Graph g = graph_of(seed);
    CAPTURE(seed);
    const Model model = g.model();
    for (u32 count = 1; count <= 5; ++count) {
      SimulatedPeers::Network network;
      network.jitter_ns = seed % 4 * 200'000;
      network.seed = seed;
      SimulatedOwners mail(count, 128, network);
      LeavingThreads leaving(*mail.peers);
      std::vector<Peers*> seats;
      std::vector<void*> executors(count, model.self);
      for (u32 i = 0; i < count; ++i) seats.push_back(&mail.peers->at(i));
      SearchOptions options = cycle_options(seed % 2 == 0);
      options.parallel = &leaving;
      options.executors = executors.data();
      options.owners = seats;
      Disk disk;
      Trial trial(kEngines[(seed + count) % std::size(kEngines)]);
      CAPTURE(count);
      REQUIRE(trial.go(model, options, disk.folder, seed % 2 << 18).ok());
      check_result(g, *trial.engine, trial.outcome, options.full);
    }
  }
}

TEST_CASE("divided products on a simulated network: a lost owner ends it, nothing is decided") {
  Graph g = random_product(8, 1'500);
  const Model model = g.model();
  u32 ended = 0;
  for (u64 calls = 0; calls < 6000; calls += 1 + calls / 6) {
    SimulatedPeers::Loss loss;
    loss.owner = static_cast<u32>(calls % 3);
    loss.after_calls = calls;
    SimulatedOwners mail(3, 128, {}, loss);
    LeavingThreads leaving(*mail.peers);
    std::vector<Peers*> seats;
    std::vector<void*> executors(3, model.self);
    for (u32 i = 0; i < 3; ++i) seats.push_back(&mail.peers->at(i));
    SearchOptions options = cycle_options(true);
    options.parallel = &leaving;
    options.executors = executors.data();
    options.owners = seats;
    Disk disk;
    Trial trial(kEngines[calls % std::size(kEngines)]);
    CAPTURE(calls);
    REQUIRE(trial.go(model, options, disk.folder, 1 << 20).ok());
    if (trial.outcome.stop == StopReason::none) {
      check_result(g, *trial.engine, trial.outcome, true);
      continue;
    }
    ++ended;
    REQUIRE(!trial.outcome.complete);
    REQUIRE(trial.outcome.stop == SimulatedPeers::kLost);
  }
  CHECK(ended > rounds(20));
}

TEST_CASE("divided products: stopped anywhere, and resumed until the end") {
  u32 resumes = 0;
  u32 among_edges = 0;
  for (u32 seed = 1; seed <= rounds(60); ++seed) {
    Graph g = random_product(seed, 300 + seed * 30);
    CAPTURE(seed);
    const Model model = g.model();
    const char* const name = kEngines[seed % std::size(kEngines)];
    SearchOptions options = cycle_options(seed % 2 == 0);
    Random random(seed * 7 + 1);
    Disk disk;
    Checkpoints checkpoints(seed % 4 == 0 ? 0 : 1 + seed % 3, seed % 2 == 0);
    options.checkpoints = &checkpoints;
    Manifest from;
    u32 count = 1 + seed % 5;
    for (u32 process = 0;; ++process) {
      REQUIRE(process < 300);
      if (process == 300) break;
      struct Watch {
        u32 left = 0;
        bool edges = false;
      } watch{1 + random() % 9 + process, false};  // what restores a run polls, too
      const RunControl control{&watch, [](void* self, const Progress& progress) {
                                 Watch& w = *static_cast<Watch*>(self);
                                 if (w.left-- > 1) return StopReason::none;
                                 w.left = 1;
                                 w.edges = progress.work.name() != nullptr;
                                 return StopReason::signal;
                               }};
      Owners owners(model, count, 512);
      Trial trial(name);
      trial.prepare = [&](Engine& engine) {
        auto& cycles = static_cast<CycleEngine&>(engine);
        if (seed % 3 == 0) cycles.hand_over_after(3 + seed % 20);
        if (seed % 5 == 0) cycles.look_after(1 + seed % 200);
      };
      options.resume = process == 0 ? nullptr : &from;
      const Status status = trial.go(model, owners.with(options), disk.folder, 2 << 20, control);
      INFO(doctest::String(status.c_str()));
      REQUIRE(status.ok());
      if (trial.outcome.stop == StopReason::signal) {
        ++resumes;
        among_edges += watch.edges ? 1u : 0u;
        REQUIRE(from.assign(checkpoints.last.text()));
        // Two of three runs go on with another number of owners.
        if (seed % 3 != 1) count = 1 + random() % 5;
        continue;
      }
      check_result(g, *trial.engine, trial.outcome, options.full);
      break;
    }
  }
  CHECK(resumes > rounds(60));
  CHECK(among_edges > rounds(10));
}

}  // namespace divided_cycles_test
