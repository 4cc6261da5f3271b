#include "engine/diagram/run_wait.h"

#include <algorithm>

namespace xmc {

void RunWait::blend(double& figure, u64 ns, u64 count) {
  if (count == 0) return;
  const double each = static_cast<double>(ns) / static_cast<double>(count);
  figure = figure == 0 ? each : figure + kNewer * (each - figure);
}

void RunWait::compared(u64 keys, u64 ns) {
  blend(key_ns_, ns, keys);
  if (levels_ > 0 || ++rest_ < kRest) return;
  levels_ = kFirst;
  rest_ = 0;
}

void RunWait::waited(u64 keys, u64 hits, u64 ns) {
  const double alone = static_cast<double>(keys) * key_ns_;
  const double together = static_cast<double>(ns) + 2 * static_cast<double>(hits) * expand_ns_;
  levels_ = together < alone ? std::min(2 * std::max(levels_, 1u), kMost) : levels_ / 2;
}

void RunWait::expanded(u64 states, u64 ns) { blend(expand_ns_, ns, states); }

}  // namespace xmc
