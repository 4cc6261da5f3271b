// StopReason: why a search ends before it is through. Inside an engine the reason travels in a
// Status (Status::stop), like a failure, so that nobody goes on behind a stop by mistake; the
// engine's run() turns it into a value of its outcome.
#pragma once

#include "xmc/types.h"

namespace xmc {

enum class StopReason : u8 {
  none,
  signal,        // TERM, INT, HUP
  time_limit,    // --time
  state_limit,   // --states
  depth_limit,   // --depth
  disk_limit,    // --disk-limit
  disk_reserve,  // --disk-reserve
  wear_limit,    // --wear-limit
  ram,           // the table is full: --ram is too small for this engine
  cycles,        // all states were visited, but accepting cycles were not looked for
  step_limit,    // --step-work: a step of the model does not end in time
  collisions,    // a cache forgot too many states (engine cached)
  peer,          // another owner of a divided search failed, or was lost
};

}  // namespace xmc
