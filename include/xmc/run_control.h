// RunControl: how a running engine meets the outside without seeing the OS. An engine calls poll()
// once per batch of states; the answer says whether to go on. The owner (src/cli) looks at the
// clock, the signal flags and the limits there, and prints the progress line.
#pragma once

#include "xmc/long_work.h"
#include "xmc/stop_reason.h"
#include "xmc/types.h"
#include "xmc/wide_count.h"

namespace xmc {

// What a search of sets says of a level that is done: its numbers need not fit a word.
struct LevelCounts {
  WideCount level_states;
  WideCount level_transitions;
  WideCount states;  // of all levels, the next one among them
  WideCount transitions;
  bool has_transitions = false;
};

struct Progress {
  u64 states = 0;  // distinct states so far
  u64 transitions = 0;
  u64 expanded = 0;
  u64 level = 0;         // BFS level being expanded, or depth of a DFS stack
  u64 level_states = 0;  // states of that level
  bool level_done = false;
  u64 ram_used = 0;
  LongWork work;                       // what is under way inside the level, if it takes a while
  const LevelCounts* exact = nullptr;  // the figures above are capped then
};

struct RunControl {
  void* self = nullptr;
  StopReason (*poll)(void* self, const Progress& progress) = nullptr;

  StopReason operator()(const Progress& progress) const {
    return poll == nullptr ? StopReason::none : poll(self, progress);
  }
};

}  // namespace xmc
