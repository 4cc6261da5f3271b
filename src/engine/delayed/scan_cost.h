// ScanCost: what a detection takes for a state that it passes over, and what for one that it finds.
// The first is timed by itself; the rest of a detection's time is for what it finds.
#pragma once

#include <algorithm>

#include "xmc/types.h"

namespace xmc {

class ScanCost {
 public:
  // A scan that found nothing.
  void passed(u64 states, u64 ns) {
    if (states == 0) return;
    per_state_ = static_cast<double>(ns) / static_cast<double>(states);
  }
  void found(u64 states, u64 matches, u64 ns) {
    matches_ += static_cast<double>(matches);
    rest_ns_ += static_cast<double>(ns) - per_state_ * static_cast<double>(states);
  }
  bool known() const { return per_state_ > 0; }
  double per_state() const { return per_state_; }
  double per_match() const { return matches_ == 0 ? 0 : std::max(0.0, rest_ns_ / matches_); }

 private:
  double per_state_ = 0;
  double matches_ = 0;
  double rest_ns_ = 0;
};

}  // namespace xmc
