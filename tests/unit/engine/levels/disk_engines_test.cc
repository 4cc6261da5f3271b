// Every engine that keeps its states on flash, against naive searches, in so little memory that its
// table is full dozens of times. Each family of graphs breaks an engine that does its bookkeeping
// naively: see the comments.
#include <doctest/doctest.h>

#include <string>

#include "engine_lists.h"
#include "flash_trial.h"
#include "graph_families.h"
#include "platform/device_fault.h"

using namespace xmc;
using namespace xmc_test;

namespace disk_engines_test {

namespace {

using Family = Graph (*)(u32 seed, u32 nodes);
const struct {
  const char* name;
  Family make;
} kFamilies[] = {{"back edges", &back_edges}, {"wide", &wide}, {"late twins", &late_twins}};

// Those that get by with the least memory for any number of states.
const Names kEngines =
    safety_engines_but({"ram", "cached", "diagram", "live", "symbolic", "explicit"});

}  // namespace

TEST_CASE("engines on flash count like a plain search") {
  for (const std::string& name : kEngines) {
    for (const auto& family : kFamilies) {
      for (u32 seed = 1; seed <= rounds(8); ++seed) {
        Random random(seed);
        const u32 nodes = seed % 4 == 0 ? 2 + random() % 50 : 3000 + random() % 12000;
        Graph g = family.make(seed, nodes);
        for (u32 i = 0; i < 20; ++i) g.errors[random() % g.size()] = 1 + random() % 3;
        const NaiveFigures f = naive_figures(g);
        Disk disk;
        Trial run(name.c_str());
        const Status status = run.go(g.model(), counting(), disk.folder);
        INFO(name, ", ", family.name, ", seed ", seed, ": ", status.message());
        REQUIRE(status.ok());
        check_figures(run.outcome, f, name != "part");
      }
    }
  }
}

TEST_CASE("a long path is found by reading the file backwards once, not anew for every step") {
  // Four words for a state: the file has dozens of slots and thousands of levels.
  const u32 nodes = 40'000;
  Graph g(nodes, 4, 32);
  for (u32 v = 0; v + 1 < nodes; ++v) g.edges[v] = {v + 1, std::min(nodes - 1, v + 20)};
  g.violated[nodes - 1] = 1;
  for (const std::string name : {"part", "auto"}) {
    Disk disk;
    Trial run(name.c_str());
    INFO(name);
    REQUIRE(run.go(g.model(), counting(), disk.folder, 512 << 10).ok());
    REQUIRE(run.outcome.violation == Violation::predicate);
    REQUIRE(valid_path(g, engine_path(*run.engine, g, run.outcome)));
    CHECK(run.outcome.minimal == (name == "auto"));
    if (run.outcome.minimal) CHECK(run.outcome.prefix_steps == (nodes + 18) / 20);
    const DeviceCounters counters = disk.folder.counters();
    const u64 trace = counters.by_purpose[static_cast<u32>(Purpose::trace)].bytes_read;
    CHECK(trace > 0);
    CHECK(trace < 6 * disk.folder.disk_use().now_bytes);
  }
}

TEST_CASE("engines on flash find shortest counterexamples") {
  for (const std::string& name : kEngines) {
    u32 found = 0;
    for (u32 seed = 1; seed <= rounds(24); ++seed) {
      Random random(seed + 100);
      Graph g = kFamilies[seed % 3].make(seed, 4000 + random() % 4000);
      for (u32 i = 0; i < 2; ++i) g.violated[random() % g.size()] = 1;
      const std::vector<int> level = naive_levels(g);
      int nearest = -1;
      for (u32 v = 0; v < g.size(); ++v) {
        if (g.violated[v] == kNone || level[v] < 0) continue;
        if (nearest < 0 || level[v] < nearest) nearest = level[v];
      }
      SearchOptions options = counting();
      options.full = seed % 2 == 0;
      Disk disk;
      Trial run(name.c_str());
      INFO(name, ", seed ", seed);
      REQUIRE(run.go(g.model(), options, disk.folder).ok());
      REQUIRE((run.outcome.violation == Violation::predicate) == (nearest >= 0));
      if (nearest < 0) continue;
      ++found;
      const std::vector<u32> path = engine_path(*run.engine, g, run.outcome);
      REQUIRE(valid_path(g, path));
      REQUIRE(g.violated[path.back()] == 1);
      if (name != "part") {
        REQUIRE(run.outcome.prefix_steps == static_cast<u64>(nearest));
        REQUIRE(run.outcome.minimal);
      }
    }
    CHECK(found > rounds(8));
  }
}

TEST_CASE("a stopped run goes on from its checkpoint as if nothing had happened") {
  for (const std::string& name : kEngines) {
    u32 resumed = 0;
    for (u32 seed = 1; seed <= rounds(6); ++seed) {
      Random random(seed + 300);
      Graph g = kFamilies[seed % 3].make(seed, 6000 + random() % 9000);
      const NaiveFigures f = naive_figures(g);
      Disk disk;
      SearchOptions options = counting();
      Checkpoints checkpoints(1 + random() % 20);
      options.checkpoints = &checkpoints;
      INFO(name, ", seed ", seed);
      // Stopped at the k-th poll by a signal, or by a limit of states; now and then the power went
      // instead: then the last commit counts, and files are longer than it says.
      Manifest from;
      SearchOutcome last;
      u32 rounds = 0;
      for (bool done = false; !done; ++rounds) {
        REQUIRE(rounds < 2000);
        struct Stop {
          u32 left;
          StopReason reason;
        } stop{1 + random() % 4, random() % 2 == 0 ? StopReason::signal : StopReason::time_limit};
        RunControl control;
        control.self = &stop;
        control.poll = [](void* self, const Progress&) {
          auto* const s = static_cast<Stop*>(self);
          return s->left > 0 && --s->left == 0 ? s->reason : StopReason::none;
        };
        // Each run gets a little further than the one before: levels may be longer than the stops.
        stop.left += rounds;
        Trial run(name.c_str());
        options.resume = rounds == 0 || checkpoints.count == 0 ? nullptr : &from;
        const Status status = run.go(g.model(), options, disk.folder, 0, control);
        INFO(status.message());
        REQUIRE(status.ok());
        REQUIRE(from.assign(checkpoints.last.text()));
        last = run.outcome;
        done = run.outcome.complete;
      }
      resumed += rounds - 1;
      check_figures(last, f, name != "part");
    }
    CHECK(resumed > 0);
  }
}

// A signal, a limit or a nearly full disk is heard in the middle of scans, spills and merges, too.
TEST_CASE("little is read or written between two polls") {
  struct Gaps {
    RamFolder& folder;
    u64 last = 0;
    u64 most = 0;
    void note() {
      const DeviceCounters::Flow all = folder.counters().total();
      const u64 bytes = all.bytes_read + all.bytes_written;
      most = std::max(most, bytes - last);
      last = bytes;
    }
  };
  for (const std::string& name : kEngines) {
    Graph g = random_graph(5, 60000, 4, 3, 24);
    Disk disk;
    Gaps gaps{disk.folder};
    RunControl control;
    control.self = &gaps;
    control.poll = [](void* self, const Progress&) {
      static_cast<Gaps*>(self)->note();
      return StopReason::none;
    };
    INFO(name);
    Trial run(name.c_str());
    REQUIRE(run.go(g.model(), counting(), disk.folder, 0, control).ok());
    gaps.note();
    CHECK(gaps.last > 4 << 20);
    // What a level of these two has found goes to the partitions in one go.
    const bool spreads = name == "hddd" || name == "dddd";
    CHECK(gaps.most < gaps.last / (spreads ? 3 : 8));
  }
}

TEST_CASE("limits of states and depth on flash") {
  for (const std::string& name : kEngines) {
    for (u32 seed = 1; seed <= rounds(6); ++seed) {
      Graph g = kFamilies[seed % 3].make(seed, 3000);
      const NaiveFigures f = naive_figures(g);
      INFO(name, ", seed ", seed);
      for (const u64 depth : {u64{0}, f.levels / 2, f.levels - 1, f.levels}) {
        if (name == "part") break;
        SearchOptions options = counting();
        options.depth_limit = depth;
        Disk disk;
        Trial run(name.c_str());
        REQUIRE(run.go(g.model(), options, disk.folder).ok());
        REQUIRE(run.outcome.complete == (depth + 1 >= f.levels));
        if (depth + 1 < f.levels) REQUIRE(run.outcome.stop == StopReason::depth_limit);
      }
      for (const u64 limit : {u64{10}, f.states / 2}) {
        SearchOptions options = counting();
        options.state_limit = limit;
        Disk disk;
        Trial run(name.c_str());
        REQUIRE(run.go(g.model(), options, disk.folder).ok());
        REQUIRE_FALSE(run.outcome.complete);
        REQUIRE(run.outcome.stop == StopReason::state_limit);
        // A repeat is not a state; engines that may have enqueued some do not say.
        const u64 states = run.outcome.stats.states;
        const bool may_repeat = name == "local" || name == "serial" || name == "dddd";
        if (!may_repeat) REQUIRE(states != kNoFigure);
        if (states != kNoFigure) REQUIRE(states <= limit);
        if (name == "dddd" && limit == 10) REQUIRE(states == 10);
      }
    }
  }
}

TEST_CASE("a failing device ends a run on flash with its error") {
  Graph g = wide(3, 100000);
  for (const std::string& name : kEngines) {
    for (u32 round = 0; round < rounds(16); ++round) {
      Region disk(64 << 20), journal(8 << 20);
      RamFolder below(disk.memory);
      FaultFolder folder(below, journal.memory);
      FaultPlan plan;
      Code expected = Code::io;
      if (round % 4 == 0) plan.fail_write_at = 1 + round / 4;
      if (round % 4 == 1) plan.fail_read_at = 1 + round / 4;
      if (round % 4 == 2) {
        plan.flip_read_at = 1 + round / 4;
        plan.seed = round;
        expected = Code::corrupt;
      }
      if (round % 4 == 3) {
        plan.full_after_bytes = u64{16 << 10} * (round / 4);
        expected = Code::disk_full;
      }
      folder.arm(plan);
      Trial run(name.c_str());
      const Status status = run.go(g.model(), counting(), folder);
      INFO(name, ", round ", round);
      if (status.ok() && expected == Code::corrupt) {
        // The bit was in the unused end of a block.
        check_figures(run.outcome, naive_figures(g), name != "part");
        continue;
      }
      CHECK_FALSE(status.ok());
      CHECK(status.code() == expected);
    }
  }
}

}  // namespace disk_engines_test
