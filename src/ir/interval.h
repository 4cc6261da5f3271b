// Intervals of 32-bit values, the domain of the range analysis. Every operation returns an interval
// that contains each result of the wrapped 32-bit arithmetic; when a result may wrap, that is
// everything.
#pragma once

#include <algorithm>

#include "ir/ir.h"
#include "xmc/arith.h"

namespace xmc::ir {

struct Interval {
  i32 lo = 1;
  i32 hi = 0;

  bool empty() const { return lo > hi; }
  bool contains(i32 v) const { return lo <= v && v <= hi; }
  bool inside(i32 l, i32 h) const { return empty() || (l <= lo && hi <= h); }
  bool single() const { return lo == hi; }
  bool operator==(const Interval&) const = default;
};

inline constexpr Interval kEverything{arith::kLowest, 2147483647};
inline constexpr Interval kTruth{0, 1};

inline Interval join(Interval a, Interval b) {
  if (a.empty()) return b;
  if (b.empty()) return a;
  return {std::min(a.lo, b.lo), std::max(a.hi, b.hi)};
}
inline Interval meet(Interval a, Interval b) {
  return {std::max(a.lo, b.lo), std::min(a.hi, b.hi)};
}

// Results of the operators; operands are not empty.
Interval apply_unary(Op op, Interval a);
Interval apply_binary(Op op, Interval a, Interval b);

// The part of `a` for which `a op b` can be true for some value of b. op is a comparison.
Interval restrict_left(Op op, Interval a, Interval b);
Op negate_comparison(Op op);
Op mirror_comparison(Op op);

}  // namespace xmc::ir
