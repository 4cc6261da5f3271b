// Nested depth-first search with old states elsewhere, against the components of random graphs: in
// so little memory that nearly all states are old, in every form, stopped and resumed; and graphs
// that break its naive forms.
#include "engine/nested/ioemc.h"

#include "flash_trial.h"
#include "lasso_checks.h"
#include "random_product.h"
#include "two_checkpoints.h"

using namespace xmc;
using namespace xmc_test;

namespace ioemc_test {

namespace {

constexpr OldStates kForms[] = {OldStates::diagram, OldStates::tiers, OldStates::linear};

SearchOptions options_of(OldStates form, bool full, u32 seed = 0) {
  SearchOptions options;
  options.deadlock = DeadlockRule::ignore;
  options.errors_violate = false;
  options.full = full;
  options.cycles.old_states = form;
  if (seed % 3 == 1) options.cycles.rho1 = 1 + seed % 100;
  if (seed % 3 == 2) options.cycles.rho2 = 1 + seed % 99;
  return options;
}

void check_verdict(const Graph& g, Engine& engine, const SearchOutcome& outcome, bool full) {
  const bool violated = NaiveCycles(g).found;
  REQUIRE((outcome.violation != Violation::none) == violated);
  if (violated) check_lasso(g, engine, outcome);
  if (violated && !full) return;
  const NaiveFigures f = naive_figures(g);
  check_figures(outcome, f, false);
  REQUIRE(outcome.stats.accepting == f.accepting);
}

// A cycle of all nodes, one of them accepting.
Graph ring(u32 nodes, u32 accepting) {
  Graph g(nodes, 1, 8);
  g.buchi = true;
  for (u32 v = 0; v < nodes; ++v) g.edges[v] = {(v + 1) % nodes};
  g.accepting[accepting] = 1;
  return g;
}

void run_and_check(Graph& g, OldStates form, u64 extra) {
  Disk disk(std::size_t{64} << 20);
  Trial run("ioemc");
  const Status status = run.go(g.model(), options_of(form, false), disk.folder, extra);
  INFO(doctest::String(status.c_str()));
  REQUIRE(status.ok());
  check_verdict(g, *run.engine, run.outcome, false);
}

}  // namespace

TEST_CASE("ioemc agrees with the components of random graphs") {
  for (const OldStates form : kForms) {
    u32 found = 0;
    u64 read = 0;
    for (u32 seed = 1; seed <= rounds(250); ++seed) {
      Graph g = random_product(seed, seed % 5 == 0 ? 5000 : 600);
      Disk disk(32 << 20);
      Trial run("ioemc");
      CAPTURE(static_cast<int>(form));
      CAPTURE(seed);
      run.prepare = [&](Engine& engine) {
        if (seed % 4 != 0) static_cast<IoemcEngine&>(engine).keep_bytes(1);
      };
      const bool full = seed % 4 == 1;
      const Status status =
          run.go(g.model(), options_of(form, full, seed), disk.folder, seed % 2 * 200'000);
      INFO(doctest::String(status.c_str()));
      REQUIRE(status.ok());
      REQUIRE(run.outcome.stop == StopReason::none);
      check_verdict(g, *run.engine, run.outcome, full);
      found += run.outcome.violation != Violation::none ? 1 : 0;
      read += run.outcome.stats.known_read + run.outcome.stats.new_read;
    }
    CHECK(found > rounds(60));
    CHECK(found < rounds(250));
    CHECK(read > rounds(250));
  }
}

TEST_CASE("a stopped nested search goes on from its checkpoint, with any memory") {
  for (const OldStates form : kForms) {
    u32 resumed = 0;
    for (u32 seed = 1; seed <= rounds(24); ++seed) {
      Random random(seed + 70);
      Graph g = random_product(seed * 5, 30'000);
      Disk disk(std::size_t{64} << 20);
      const bool full = seed % 4 != 0;
      SearchOptions options = options_of(form, full);
      TwoCheckpoints checkpoints(1 + random() % 3);
      options.checkpoints = &checkpoints;
      CAPTURE(static_cast<int>(form));
      CAPTURE(seed);
      Manifest from;
      for (u32 round = 0;; ++round) {
        REQUIRE(round < 2000);
        u32 left = 1 + random() % 3 + round / 8;
        RunControl control;
        control.self = &left;
        control.poll = [](void* self, const Progress&) {
          u32& polls = *static_cast<u32*>(self);
          return polls > 0 && --polls == 0 ? StopReason::signal : StopReason::none;
        };
        Trial run("ioemc");
        // A diagram of more memory need not fit into less.
        const bool little = form != OldStates::diagram ? random() % 2 == 0 : seed % 2 == 0;
        run.prepare = [&](Engine& engine) {
          if (little) static_cast<IoemcEngine&>(engine).keep_bytes(40'000);
        };
        options.resume = from.text().empty() ? nullptr : &from;
        const Status status = run.go(g.model(), options, disk.folder, 300'000, control);
        INFO(doctest::String(status.c_str()));
        REQUIRE(status.ok());
        // The newer one may be lost.
        if (checkpoints.count > 1 && random() % 3 == 0) {
          REQUIRE(checkpoints.last.assign(checkpoints.before.text()));
        }
        REQUIRE(from.assign(checkpoints.last.text()));
        verify(disk.folder, from);
        if (run.outcome.stop == StopReason::signal) continue;
        check_verdict(g, *run.engine, run.outcome, full);
        resumed += round;
        break;
      }
    }
    CHECK(resumed > rounds(24) / 4);
  }
}

// A stop that falls into a long work beside the search: here, reading all runs to make filters of
// them when the diagram is full. The state that was to be inserted then was lost.
TEST_CASE("a nested search that is stopped while it makes filters loses no state") {
  constexpr u32 kNodes = 60'000;
  Graph g(kNodes, 5, 40);  // a tree: no other way leads to what is lost
  for (u32 v = 1; v < kNodes; ++v) g.edges[(v - 1) / 2].push_back(v);
  g.buchi = true;
  g.classes.assign(kNodes, 0);
  Disk disk(std::size_t{64} << 20);
  SearchOptions options = options_of(OldStates::diagram, false);
  TwoCheckpoints checkpoints(0);  // none but the last
  options.checkpoints = &checkpoints;
  u32 stops = 0;
  RunControl control;
  control.self = &stops;
  control.poll = [](void* self, const Progress& now) {
    const bool here =
        now.work.name() != nullptr && std::string_view(now.work.name()) == "reading runs";
    u32& count = *static_cast<u32*>(self);
    if (!here || count > 0) return StopReason::none;
    ++count;
    return StopReason::signal;
  };
  Manifest from;
  for (u32 round = 0; round < 2; ++round) {
    Trial run("ioemc");
    run.prepare = [](Engine& engine) { static_cast<IoemcEngine&>(engine).keep_bytes(2'500'000); };
    options.resume = round == 0 ? nullptr : &from;
    REQUIRE(run.go(g.model(), options, disk.folder, 8 << 20, control).ok());
    REQUIRE(stops == 1);
    if (round == 0) {
      REQUIRE(run.outcome.stop == StopReason::signal);
      REQUIRE(from.assign(checkpoints.last.text()));
      continue;
    }
    REQUIRE(run.outcome.complete);
    check_figures(run.outcome, naive_figures(g), false);
  }
}

// One region for both stacks: a path of many times its size goes to flash and comes back, for the
// first search and for a second one on top of it. A stack of a fixed size loses the path.
TEST_CASE("a path that is longer than memory is kept") {
  constexpr u32 kNodes = 60'000;
  for (const OldStates form : kForms) {
    if (form == OldStates::linear) continue;  // it takes minutes, and has the same stack
    for (const u32 accepting : {0u, kNodes / 2, kNodes - 1}) {
      Graph g = ring(kNodes, accepting);
      run_and_check(g, form, 0);
      g.edges[kNodes - 1].clear();
      run_and_check(g, form, 0);
    }
  }
}

// The printed code chooses a successor that is not in memory, finds it on flash, and chooses it
// again. And a state that was pushed may have become old before it is popped: who asks memory only
// visits it twice.
TEST_CASE("successors that are old states end the search of their predecessor") {
  constexpr u32 kChain = 9'000;
  for (const OldStates form : kForms) {
    // Each node has steps to the next one, to the first ones, and to one that the chain reaches
    // last.
    Graph g(kChain, 1, 8);
    g.buchi = true;
    for (u32 v = 0; v < kChain; ++v) {
      if (v + 1 < kChain) g.edges[v].push_back(v + 1);
      if (v % 16 == 0) g.edges[v].push_back(kChain - 1 - v / 2);
    }
    Disk disk(std::size_t{64} << 20);
    Trial run("ioemc");
    run.prepare = [](Engine& engine) { static_cast<IoemcEngine&>(engine).keep_bytes(1); };
    REQUIRE(run.go(g.model(), options_of(form, false), disk.folder, 0).ok());
    check_verdict(g, *run.engine, run.outcome, false);
    CHECK(run.outcome.stats.expansions == kChain);
    CHECK(run.outcome.stats.known_read > 0);
  }
}

// Second searches keep what they have visited, and a cycle that one of them could not close is not
// closed by a later one: only the order in which the first search leaves states makes that right.
TEST_CASE("seeds are taken when the first search leaves them") {
  for (const OldStates form : kForms) {
    // 1 accepts and is left before 0, which accepts, too, and is on the only cycle: 0 -> 2 -> 0. A
    // search from 0 when it is entered would do here; one from 1 after it would then hide 3 -> 4.
    Graph g(6, 1, 8);
    g.buchi = true;
    g.edges[0] = {1, 2};
    g.edges[1] = {3};
    g.edges[2] = {0};
    g.edges[3] = {4};
    g.edges[4] = {5};
    g.accepting[1] = g.accepting[0] = 1;
    run_and_check(g, form, 0);
    g.edges[2] = {3};
    run_and_check(g, form, 0);
    g.accepting[4] = 1;
    g.edges[5] = {4};
    run_and_check(g, form, 0);
  }
}

}  // namespace ioemc_test
