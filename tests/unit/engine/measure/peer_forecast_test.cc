// The forecast of several boards: its arithmetic, and against a search on the simulated network.
#include "engine/measure/peer_forecast.h"

#include <doctest/doctest.h>

#include <vector>

#include "engine/ram/ram.h"
#include "graph_models.h"
#include "peers_rigs.h"
#include "platform/clock.h"
#include "simulated_trial.h"

using namespace xmc;
using namespace xmc_test;

namespace peer_forecast_test {

using xmc::test::SimulatedOwners;

namespace {

Sample microsecond_sample() {
  Sample sample;
  sample.states = sample.expansions = 100'000;
  sample.transitions = 300'000;
  sample.elapsed_ns = 100'000'000;
  return sample;
}

// The time of a whole search on the network, and its levels.
u64 simulated_ns(const Model& model, u32 owners, const SimulatedPeers::Network& network,
                 u64& levels) {
  SimulatedOwners mail(owners, 256, network);
  LeavingThreads leaving(*mail.peers);
  Region region(1 << 23);
  Arena arena(region.memory);
  std::vector<Peers*> seats;
  std::vector<void*> executors(owners, model.self);
  for (u32 i = 0; i < owners; ++i) seats.push_back(&mail.peers->at(i));
  SearchOptions options;
  options.deadlock = DeadlockRule::ignore;
  options.parallel = &leaving;
  options.executors = executors.data();
  options.owners = seats;
  RamEngine engine;
  SearchOutcome outcome;
  REQUIRE(engine.plan(model, options, arena).ok());
  arena.seal();
  REQUIRE(engine.run({}, outcome).ok());
  REQUIRE(outcome.complete);
  levels = outcome.stats.levels;
  return mail.peers->end_ns();
}

Sample sample_of(const Model& model, PeerSamples& peers) {
  Region region(1 << 24);
  Arena arena(region.memory);
  SearchOptions options;
  options.deadlock = DeadlockRule::ignore;
  options.now_ns = &monotonic_ns;
  SampleLimits limits;
  limits.time_ns = 60'000'000'000;
  return take_sample(model, options, arena, limits, &peers);
}

}  // namespace

TEST_CASE("what boards bring: each limit by itself") {
  const Sample sample = microsecond_sample();
  PeerSamples all;
  all.sent_bytes = 16;
  PeerSample four;
  four.owners = 4;
  PeerNetwork network;
  network.latency_ns = 0;
  const double wide = 1e12;  // where chance divides evenly

  PeerForecast forecast = forecast_peers(sample, all, four, network, wide);
  CHECK(forecast.speedup == doctest::Approx(4).epsilon(0.001));
  CHECK(forecast.limit == PeerLimit::nothing);

  // One state of ten thousand after the other: a quarter of 10 ms, and 3 times 1 ms.
  network.latency_ns = 1e6;
  forecast = forecast_peers(sample, all, four, network, 10'000);
  CHECK(forecast.speedup == doctest::Approx(10 / (2.5 + 3)).epsilon(0.05));
  CHECK(forecast.limit == PeerLimit::waiting);
  network.latency_ns = 0;

  four.level_load = four.load = 1.5;
  four.level_states = wide;
  forecast = forecast_peers(sample, all, four, network, wide);
  CHECK(forecast.speedup == doctest::Approx(4 / 1.5).epsilon(0.001));
  CHECK(forecast.limit == PeerLimit::load);
  four.level_load = four.load = 1;

  // Three steps of a state, each of which takes a sixth of a microsecond.
  all.share_ns = 1000.0 / 6;
  forecast = forecast_peers(sample, all, four, network, wide);
  CHECK(forecast.speedup == doctest::Approx(4 / 1.5).epsilon(0.001));
  CHECK(forecast.limit == PeerLimit::sending);
  all.share_ns = 0;

  // Half of them leave home: 24 bytes for a state, at 12 bytes in a microsecond.
  four.leaving = 0.5;
  network.bytes_per_second = 12e6;
  forecast = forecast_peers(sample, all, four, network, wide);
  CHECK(forecast.sent_bytes == doctest::Approx(24));
  CHECK(forecast.speedup == doctest::Approx(2).epsilon(0.001));
  CHECK(forecast.limit == PeerLimit::network);

  four.owners = 1;
  CHECK(forecast_peers(sample, all, four, network, wide).speedup == doctest::Approx(1));
}

TEST_CASE("what boards bring: sample, and time on the simulated network") {
  Graph g = random_graph(5, 20'000, 4, 2, 13);
  const Model model = g.model();
  for (const u32 owners : {2u, 4u, 9u}) {
    CAPTURE(owners);
    PeerSamples peers;
    peers.count = 1;
    peers.each[0].owners = owners;
    Sample sample = sample_of(model, peers);
    REQUIRE(sample.complete);
    const PeerSample& one = peers.each[0];
    CHECK(peers.sent_bytes == model.state_words * 8);
    CHECK(peers.share_ns > 0);
    CHECK(one.leaving > 0.9 * (owners - 1) / owners);
    CHECK(one.leaving < 1.1 * (owners - 1) / owners);
    CHECK(one.load >= 1);
    CHECK(one.load < 1.3);
    // On the network states cost nothing.
    sample.elapsed_ns = 1;
    peers.share_ns = 0;
    u64 levels = 0;
    SimulatedPeers::Network real;
    real.call_ns = 1;
    real.latency_ns = 0;
    real.bytes_per_second = 1'000'000;
    PeerNetwork network;
    network.latency_ns = 0;
    network.bytes_per_second = 1e6;
    u64 ns = simulated_ns(model, owners, real, levels);
    const double states = static_cast<double>(sample.states);
    PeerForecast forecast = forecast_peers(sample, peers, one, network, states);
    CHECK(forecast.limit == PeerLimit::network);
    CHECK(static_cast<double>(ns) > 0.8 * forecast.level_ns);
    // A dozen levels, most of them narrow, and buffers of 256 bytes that run out.
    CHECK(static_cast<double>(ns) < 2 * forecast.level_ns);
    // Nor does sending them: this search has one more sum in each level.
    real.bytes_per_second = 0;
    real.latency_ns = 50'000'000;
    network.bytes_per_second = 1e15;
    network.latency_ns = 5e7;
    ns = simulated_ns(model, owners, real, levels);
    forecast = forecast_peers(sample, peers, one, network, 1);
    CHECK(forecast.limit == PeerLimit::waiting);
    CHECK(static_cast<double>(ns) > 0.9 * static_cast<double>(levels) * forecast.level_ns);
  }
}

}  // namespace peer_forecast_test
