#include "engine/measure/peer_forecast.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace xmc {

namespace {

// At the end of a level: the last block is on its way, and sums go to one board and back.
constexpr double kLatencies = 3;
constexpr double kMuch = 0.01;  // of the time: less is no limit

// The largest part over the mean where `states` are divided by chance.
double by_chance(double states, u32 owners) {
  return 1 + std::sqrt(2 * std::log(static_cast<double>(owners)) * owners / states);
}

}  // namespace

PeerForecast forecast_peers(const Sample& sample, const PeerSamples& all, const PeerSample& peers,
                            const PeerNetwork& network, double level_states) {
  PeerForecast forecast;
  const double state_ns = sample.per_second() > 0 ? 1e9 / sample.per_second() : 0;
  forecast.level_ns = level_states * state_ns;
  forecast.sent_bytes = sample.degree() * peers.leaving * all.sent_bytes;
  if (peers.owners < 2 || level_states < 1) return forecast;
  double load = std::max(peers.level_load, 1.0);
  // What is due to chance is less in a wide level than in those of the sample.
  if (peers.level_states > 0) load /= by_chance(peers.level_states, peers.owners);
  load = std::max(load, 1.0) * by_chance(level_states, peers.owners);
  const double each = level_states / peers.owners;
  const double most = std::min(each * load, level_states);
  const double sharing = sample.degree() * (1 + peers.leaving) * all.share_ns;
  const double work = most * (state_ns + sharing);
  const double link = most * forecast.sent_bytes * 1e9 / network.bytes_per_second;
  const double waiting = kLatencies * network.latency_ns;
  const double alone = forecast.level_ns;
  forecast.level_ns = std::max(work, link) + waiting;
  forecast.speedup = alone / forecast.level_ns;
  const double lost[] = {kMuch * forecast.level_ns, each * sharing, (most - each) * state_ns,
                         std::max(link - work, 0.0), waiting};
  forecast.limit =
      static_cast<PeerLimit>(std::max_element(std::begin(lost), std::end(lost)) - lost);
  return forecast;
}

}  // namespace xmc
