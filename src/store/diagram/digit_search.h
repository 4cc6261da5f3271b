// Finding a digit among the ascending digits of a node, eight at a time without a branch.
#pragma once

#include <bit>

#include "xmc/bytes.h"
#include "xmc/types.h"

namespace xmc {

// The first of digits[from..count) that is not below `digit`; count: none. Reads up to seven bytes
// behind the digits.
inline u32 first_not_below(const u8* digits, u32 from, u32 count, u32 digit) {
  constexpr u64 kLow = 0x0101'0101'0101'0101u;
  constexpr u64 kHigh = kLow << 7;
  const u64 wanted = digit * kLow;
  while (from < count) {
    const u64 eight = load_le<u64>(digits + from);
    // Per byte: the highest bit of `eight` >= `wanted`, by subtraction without borrows.
    const u64 low_not_below = (eight | kHigh) - (wanted & ~kHigh);
    const u64 not_below = ((eight & ~wanted) | (~(eight ^ wanted) & low_not_below)) & kHigh;
    if (not_below != 0) {
      const u32 found = from + static_cast<u32>(std::countr_zero(not_below)) / 8;
      return found < count ? found : count;
    }
    from += 8;
  }
  return count;
}

}  // namespace xmc
