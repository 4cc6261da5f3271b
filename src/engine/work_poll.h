// WorkPoll: how work behind a breadth-first search asks whether to go on. The figures that a
// progress line shows are those of that search, and how far this work is.
#pragma once

#include "engine/search.h"
#include "xmc/run_control.h"

namespace xmc {

class WorkPoll {
 public:
  WorkPoll() = default;
  explicit WorkPoll(const Search& search) : control_(search.control) {
    progress_.states = search.outcome->stats.states;
    progress_.transitions = search.outcome->stats.transitions;
    progress_.expanded = search.outcome->stats.expansions;
  }
  void set_states(u64 states) { progress_.states = states; }

  StopReason operator()(u64 level, u64 level_states) {
    if (control_ == nullptr) return StopReason::none;
    progress_.level = level;
    progress_.level_states = level_states;
    return (*control_)(progress_);
  }

 private:
  const RunControl* control_ = nullptr;
  Progress progress_;
};

}  // namespace xmc
