// The figures of time and bytes that every engine gives.
#include <doctest/doctest.h>

#include <string>

#include "engine_lists.h"
#include "flash_trial.h"
#include "platform/card_profiles.h"
#include "platform/device_sim.h"

using namespace xmc;
using namespace xmc_test;

namespace figures_test {

namespace {

// Every look at the clock is a microsecond later, so that every look counts; the simulated card
// adds what its transfers take, and nothing else does.
Clock g_clock(Clock::Kind::manual);
u64 g_first_ns = 0;
u64 now_ns() {
  g_clock.advance(1000);
  if (g_first_ns == 0) g_first_ns = g_clock.now_ns();
  return g_clock.now_ns();
}
u64 since_first_us() { return (g_clock.now_ns() - g_first_ns) / 1000; }

struct Card {
  Disk disk;
  SimFolder folder{disk.folder, *find_card_profile("a1"), g_clock};
};

Graph some_graph() {
  Random random(17);
  Graph g(30000, 1, 8);
  for (u32 v = 0; v < 30000; ++v) {
    for (u32 i = 0; i < 3; ++i) g.edges[v].push_back(std::min(29999u, v + random() % 900));
    if (v % 7 == 0) g.edges[v].push_back(random() % (v + 1));
  }
  return g;
}

u64 parts(const SearchStats& s) {
  return s.generation_us + s.insertion_us + s.detection_us + s.queueing_us + s.partitioning_us +
         (s.cycles_us == kNoFigure ? 0 : s.cycles_us) + s.io_wait_us + s.rest_us;
}

constexpr u32 kQueue = static_cast<u32>(Purpose::queue);

}  // namespace

TEST_CASE("the time of every engine is divided without a rest; bytes have purposes") {
  Graph graph = some_graph();
  for (const std::string& name : safety_engines_but({"live", "symbolic", "explicit"})) {
    CAPTURE(name);
    Card card;
    Trial trial(name.c_str());
    SearchOptions options = counting();
    options.now_ns = &now_ns;
    g_first_ns = 0;
    const u64 extra = name == "ram" || name == "cached" || name == "diagram" ? 4 << 20 : 200 << 10;
    REQUIRE(trial.go(graph.model(), options, card.folder, extra).ok());
    const u64 took_us = since_first_us();
    const SearchStats& s = trial.outcome.stats;
    REQUIRE(trial.outcome.complete);
    REQUIRE(s.search_us != kNoFigure);
    CHECK(parts(s) == s.search_us);
    CHECK(s.search_us <= took_us);
    CHECK(s.search_us >= took_us - took_us / 100 - 2);
    CHECK(s.generation_us > 0);
    CHECK(s.insertion_us > 0);
    if (name == "mono" || name == "part" || name == "hddd") CHECK(s.detection_us > 0);
    if (name == "mono" || name == "disk" || name == "hddd") CHECK(s.queueing_us > 0);

    const DeviceCounters counters = card.folder.counters();
    const DeviceCounters::Flow all = counters.total();
    if (name == "ram") continue;
    if (s.payload_bytes == kNoFigure || s.payload_bytes == 0) continue;
    CHECK(s.payload_bytes <= all.bytes_written);
    CHECK(s.io_wait_us > 0);
    const bool one_file = name == "mono" || name == "local" || name == "cached";
    if (one_file) CHECK(counters.by_purpose[kQueue].bytes_written == all.bytes_written);
  }
}

TEST_CASE("without a clock there are no times") {
  Graph graph = some_graph();
  Card card;
  Trial trial("mono");
  REQUIRE(trial.go(graph.model(), counting(), card.folder, 200 << 10).ok());
  CHECK(trial.outcome.stats.search_us == kNoFigure);
  CHECK(trial.outcome.stats.generation_us == kNoFigure);
}

TEST_CASE("times go on after a resume") {
  Graph graph = some_graph();
  Card card;
  Checkpoints checkpoints(0);
  SearchOptions options = counting();
  options.now_ns = &now_ns;
  options.checkpoints = &checkpoints;
  options.state_limit = 15000;
  Trial first("hddd");
  REQUIRE(first.go(graph.model(), options, card.folder, 200 << 10).ok());
  REQUIRE(first.outcome.stop == StopReason::state_limit);
  REQUIRE(checkpoints.count > 0);
  const Result<u64> saved = checkpoints.last.number("stat.search_us");
  REQUIRE(saved.ok());
  CHECK(saved.value() > 0);
  CHECK(saved.value() <= first.outcome.stats.search_us);
  options.resume = &checkpoints.last;
  options.checkpoints = nullptr;
  options.state_limit = ~u64{0};
  Trial second("hddd");
  g_first_ns = 0;
  REQUIRE(second.go(graph.model(), options, card.folder, 200 << 10).ok());
  REQUIRE(second.outcome.complete);
  const u64 took_us = since_first_us();
  CHECK(second.outcome.stats.search_us >= saved.value() + took_us - took_us / 100 - 2);
  CHECK(parts(second.outcome.stats) == second.outcome.stats.search_us);
}

}  // namespace figures_test
