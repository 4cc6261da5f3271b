// What several boards would bring that share a search, one owner of states each: from a sample of
// the search on one, and what the network between them is like. A level ends when the slowest of
// them is through:
//
//   work     its states, at the rate of the sample, and each of its steps is given to its owner
//   link     what it sends and what it gets, at the rate of the network, beside the work
//   waiting  for the last block, and for the sums of all, which go through one of them
//
// That is the network of platform/simulated_peers.h, where buffers never run out. The sample was
// taken in memory: where an engine waits for its card, boards gain more than this.
#pragma once

#include "engine/measure/peer_sample.h"
#include "engine/measure/sample.h"

namespace xmc {

struct PeerNetwork {
  double bytes_per_second = 125e6;  // each way, of each board
  double latency_ns = 200e3;
};

// What takes the most of what is missing.
enum class PeerLimit : u8 { nothing, sending, load, network, waiting };

struct PeerForecast {
  double sent_bytes = 0;  // per state
  double level_ns = 0;
  double speedup = 1;
  PeerLimit limit = PeerLimit::nothing;
};

// Where levels have so many states.
PeerForecast forecast_peers(const Sample& sample, const PeerSamples& all, const PeerSample& peers,
                            const PeerNetwork& network, double level_states);

}  // namespace xmc
