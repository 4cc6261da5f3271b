// WideCount: how many states a set has. Sets of a few thousand nodes have had 10^20 of them.
#pragma once

#include "xmc/types.h"

namespace xmc {

struct WideCount {
  static constexpr u32 kMost = ~u32{0};

  u64 low = 0;
  u32 high = 0;  // kMost: 2^96 - 2^64 or more, all that can be said

  bool is_bound() const { return high == kMost; }
  bool fits_u64() const { return high == 0; }
  friend bool operator==(const WideCount&, const WideCount&) = default;

  void add(const WideCount& other) {
    const u64 sum = low + other.low;
    const u64 highs = u64{high} + other.high + (sum < low ? 1 : 0);
    low = highs < kMost ? sum : 0;
    high = highs < kMost ? static_cast<u32>(highs) : kMost;
  }
};

}  // namespace xmc
