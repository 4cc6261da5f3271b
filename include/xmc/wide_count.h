// WideCount: how many states a set has, exactly, up to 512 bits.
//
// Sets of a few hundred nodes have had 10^60 states. A sum that does not fit is not wrong but a
// bound: the number is 2^512 or more, and is said to be.
#pragma once

#include "xmc/types.h"

namespace xmc {

class Text;

struct WideCount {
  static constexpr u32 kWords = 8;
  static constexpr u32 kBits = kWords * 64;
  static constexpr u32 kDecimalText = 224;  // characters of the longest text, commas included

  u64 words[kWords] = {};  // the lowest first
  bool over = false;       // it did not fit; the words say nothing

  constexpr WideCount() = default;
  constexpr WideCount(u64 value) : words{value} {}

  bool is_zero() const { return *this == WideCount(); }
  bool fits_u64() const;
  friend bool operator==(const WideCount&, const WideCount&) = default;

  void add(const WideCount& other);
  // All digits; with commas for people. What did not fit is "2^512".
  void write(Text& out, bool commas) const;
};

}  // namespace xmc
