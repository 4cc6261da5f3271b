// A sample of a search, for forecasts: the first states in breadth-first order, in memory, for a
// bounded time. It tells what cannot be known from the model's text: how fast states are expanded,
// how many steps they have, and what they take when they are coded one against the other, in order
// of discovery (a queue) and in hash partitions, where neighbours are less alike.
//
// The first states are not the typical ones: levels are small, tables fit the cache. So the rate is
// one that a long search hardly keeps up, and the figures are for orders of magnitude.
#pragma once

#include "engine/measure/peer_sample.h"
#include "xmc/engine.h"

namespace xmc {

struct SampleLimits {
  u64 states = 200'000;
  u64 time_ns = 300'000'000;
};

struct Sample {
  u64 states = 0;  // 0: there was no room for a sample
  u64 expansions = 0;
  u64 transitions = 0;
  u64 levels = 0;
  u64 elapsed_ns = 0;
  StopReason stop = StopReason::none;
  bool complete = false;  // these are all states that there are
  Violation violation = Violation::none;
  double cycle_steps = 0;  // of a state of a product, those that could be on an accepting cycle
  // Bytes per state: in a table in memory, in a queue, in partitions.
  double in_table = 0;
  double in_order = 0;
  double in_partitions = 0;

  double per_second() const {
    return elapsed_ns == 0
               ? 0
               : static_cast<double>(expansions) * 1e9 / static_cast<double>(elapsed_ns);
  }
  double degree() const {
    return expansions == 0 ? 0 : static_cast<double>(transitions) / static_cast<double>(expansions);
  }
};

// The memory is scratch of the arena. A violation is noted and does not end it. options.now_ns is
// the clock. What `peers` asks for is measured as well, in the memory that the table leaves.
Sample take_sample(const Model& model, const SearchOptions& options, Arena& arena,
                   const SampleLimits& limits = {}, PeerSamples* peers = nullptr);

}  // namespace xmc
