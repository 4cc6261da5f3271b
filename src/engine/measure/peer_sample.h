// What a sample of a search tells of owners on several boards: how many steps would leave home, and
// how evenly the states are divided, by the fields that a search would take.
//
// The levels of a sample are the first ones. Later levels are wider and their states more varied,
// so that the load is more even in them, if anything.
#pragma once

#include <span>

#include "engine/ram/ram_search.h"

namespace xmc {

struct PeerSample {
  u32 owners = 0;
  u32 fields = 0;         // that the owner of a state is told by
  double leaving = 0;     // of the steps
  double load = 1;        // largest over mean, of all states
  double level_load = 1;  // and of those that owners have of one level, which all of them wait for
  double level_states = 0;  // in such a level; 0: none was wide enough to tell
};

struct PeerSamples {
  static constexpr u32 kMost = 3;

  u32 count = 0;  // asked for: `owners` of the first ones are given
  PeerSample each[kMost];
  u32 all_fields = 0;
  u32 sent_bytes = 0;   // of a state that leaves home
  double share_ns = 0;  // to find the owner of a state, and to copy the state to a block
};

// Of a search in memory that was begun, whose first `expanded` states have their successors there.
// `memory` is free.
void sample_peers(RamSearch& ram, u64 expanded, std::span<u8> memory, PeerSamples& samples);

}  // namespace xmc
