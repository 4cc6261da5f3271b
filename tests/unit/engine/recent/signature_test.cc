// Hash compaction: with many bits the figures are exact, with few states are left out, and either
// way nothing is ever said to hold. And the chained table, with and without.
#include "store/keys/signature.h"

#include <doctest/doctest.h>

#include <set>
#include <string>

#include "engine_lists.h"
#include "flash_trial.h"
#include "report/verdict.h"

using namespace xmc;
using namespace xmc_test;

namespace signature_test {

namespace {

const Names kCompacting = engines_with_signatures();

// Levels of some hundred states, steps back of all lengths.
Graph make_graph(u32 seed, u32 nodes) {
  Random random(seed);
  Graph g(nodes, 1 + seed % 3, 8 * (seed % 3) + 3 + seed % 6);
  for (u32 v = 0; v < nodes; ++v) {
    for (u32 i = random() % 4; i > 0; --i) {
      const u32 forward = std::min(nodes - 1, v + 1 + random() % 300);
      g.edges[v].push_back(random() % 3 == 0 ? random() % (v + 1) : forward);
    }
    if (v + 1 < nodes) g.edges[v].push_back(v + 1);
  }
  return g;
}

Verdict verdict_of(const SearchOutcome& outcome, bool exact) {
  VerdictInput input;
  input.outcome = &outcome;
  input.exact = exact;
  input.trace_confirmed = true;
  input.predicate_kind = "invariant";
  return decide(input);
}

}  // namespace

TEST_CASE("signatures are as long as asked for, and their bound is that of pairs") {
  const Word states[4] = {1, 2, 3, 4};
  for (u32 bits = 1; bits <= 128; ++bits) {
    const Signature signature(bits);
    Word out[4] = {7, 7, 7, 7};
    signature.of(states, 2, 2, out);
    REQUIRE(signature.words() == (bits > 64 ? 2u : 1u));
    REQUIRE(signature.bytes() == (bits + 7) / 8);
    if (bits < 64) REQUIRE((out[0] >> bits) == 0);
    if (bits > 64 && bits < 128) REQUIRE((out[1] >> (bits - 64)) == 0);
    if (bits > 16) REQUIRE((out[0] != out[signature.words()]));
  }
  CHECK(Signature(40).omission_bound(0) == 0);
  CHECK(Signature(40).omission_bound(1) == 0);
  CHECK(Signature(40).omission_bound(2) == doctest::Approx(1.0 / (u64{1} << 40)));
  CHECK(Signature(40).omission_bound(1000) == doctest::Approx(499500.0 / (u64{1} << 40)));
  CHECK(Signature(40).omission_bound(u64{1} << 40) == 1);
}

// Naive: the survivors of a scan are taken by their place in the file of candidates, although that
// has repeats when the table overflowed (disk); or such a repeat is taken as often as it is there.
TEST_CASE("with long signatures and chained tables the figures stay exact") {
  for (const std::string& name : kCompacting) {
    for (u32 seed = 1; seed <= 8; ++seed) {
      Graph g = make_graph(seed, 2000 + seed * 1000);
      Random random(seed);
      for (u32 i = 0; i < 20; ++i) g.errors[random() % g.size()] = 1 + random() % 3;
      SearchOptions options = counting();
      options.chained = seed % 2 == 0;
      options.signature_bits = seed % 4 < 2 ? 0 : 64 + 8 * seed;
      Trial run(name.c_str());
      if (!run.engine->traits().takes_table) options.chained = false;
      INFO(name, ", seed ", seed);
      Disk disk(4 << 20);
      REQUIRE(run.go(g.model(), options, disk.folder, name == "cached" ? 1 << 20 : 0).ok());
      check_figures(run.outcome, naive_figures(g), true);
      const Verdict verdict = verdict_of(run.outcome, options.signature_bits == 0);
      CHECK(verdict.reason == (options.signature_bits == 0 ? "" : "signature"));
    }
  }
}

TEST_CASE("short signatures leave states out, and then nothing is said to hold") {
  for (const std::string& name : kCompacting) {
    u32 short_of = 0;
    for (u32 seed = 1; seed <= 12; ++seed) {
      Graph g = make_graph(seed, 9000);
      const NaiveFigures f = naive_figures(g);
      SearchOptions options = counting();
      options.signature_bits = 12 + seed % 8;
      options.collision_percent = 50;
      Disk disk(4 << 20);
      Trial run(name.c_str());
      INFO(name, ", seed ", seed);
      REQUIRE(run.go(g.model(), options, disk.folder, name == "cached" ? 200000 : 0).ok());
      REQUIRE(run.outcome.stats.states <= f.states);
      // No two states of one signature are kept.
      REQUIRE(run.outcome.stats.states <= (u64{1} << options.signature_bits));
      short_of += run.outcome.stats.states < f.states;
      const Verdict verdict = verdict_of(run.outcome, false);
      REQUIRE(verdict.answer == Answer::undecided);
      REQUIRE(verdict.exit == Exit::undecided);
      REQUIRE_FALSE(verdict.complete);
    }
    CHECK(short_of > 8);
  }
}

TEST_CASE("a violation found by signatures has a path, which is not called shortest") {
  for (const std::string& name : kCompacting) {
    u32 found = 0;
    u32 missed = 0;
    for (u32 seed = 1; seed <= 16; ++seed) {
      Graph g = make_graph(seed, 5000);
      Random random(seed + 7);
      g.violated[random() % g.size()] = 1;
      SearchOptions options = counting();
      options.full = seed % 2 == 0;
      options.signature_bits = 10 + seed % 6;
      Disk disk(4 << 20);
      Trial run(name.c_str());
      INFO(name, ", seed ", seed);
      REQUIRE(run.go(g.model(), options, disk.folder, name == "cached" ? 200000 : 0).ok());
      if (run.outcome.violation == Violation::none) {
        ++missed;
        continue;
      }
      ++found;
      const std::vector<u32> path = engine_path(*run.engine, g, run.outcome);
      REQUIRE(valid_path(g, path));
      REQUIRE(g.violated[path.back()] == 1);
      REQUIRE_FALSE(run.outcome.minimal);
      const Verdict verdict = verdict_of(run.outcome, false);
      REQUIRE(verdict.answer == Answer::violated);
      REQUIRE_FALSE(verdict.complete);
    }
    CHECK(found > 2);
    CHECK(missed > 2);
  }
}

TEST_CASE("a run by signatures goes on from its checkpoint") {
  for (const std::string& name : kCompacting) {
    Graph g = make_graph(5, 9000);
    Disk disk(4 << 20);
    SearchOptions options = counting();
    options.signature_bits = 72;
    Checkpoints checkpoints(3);
    options.checkpoints = &checkpoints;
    u32 polls = 6;
    RunControl control;
    control.self = &polls;
    control.poll = [](void* self, const Progress&) {
      return --*static_cast<u32*>(self) == 0 ? StopReason::signal : StopReason::none;
    };
    const u64 extra = name == "cached" ? 1 << 20 : 0;
    INFO(name);
    Trial first(name.c_str());
    REQUIRE(first.go(g.model(), options, disk.folder, extra, control).ok());
    REQUIRE_FALSE(first.outcome.complete);
    Manifest from;
    REQUIRE(from.assign(checkpoints.last.text()));
    options.resume = &from;
    Trial second(name.c_str());
    REQUIRE(second.go(g.model(), options, disk.folder, extra).ok());
    check_figures(second.outcome, naive_figures(g), true);
  }
}

TEST_CASE("engines without a choice of tables or signatures say which have it") {
  const Status table = check_engine_takes(*find_engine("disk").value(), true, false);
  CHECK(table.code() == Code::usage);
  const Names tables = engines_that([](const EngineTraits& t) { return t.takes_table; });
  CHECK(std::string(table.message()).find(in_a_row(tables)) != std::string::npos);
  const Status signature = check_engine_takes(*find_engine("ram").value(), false, true);
  CHECK(signature.code() == Code::usage);
  CHECK(std::string(signature.message()).find(in_a_row(kCompacting)) != std::string::npos);
  CHECK(check_engine_takes(*find_engine("local").value(), true, true).ok());
  CHECK(check_engine_takes(*find_engine("serial").value(), false, true).ok());
}

}  // namespace signature_test
