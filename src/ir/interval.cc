#include "ir/interval.h"

#include <bit>

#include "xmc/check.h"

namespace xmc::ir {

namespace {

Interval from_wide(i64 lo, i64 hi) {
  if (lo < kEverything.lo || hi > kEverything.hi) return kEverything;
  return {static_cast<i32>(lo), static_cast<i32>(hi)};
}

Interval corners(const i64 (&v)[4]) {
  return from_wide(std::min(std::min(v[0], v[1]), std::min(v[2], v[3])),
                   std::max(std::max(v[0], v[1]), std::max(v[2], v[3])));
}

Interval multiply(Interval a, Interval b) {
  const i64 v[4] = {i64{a.lo} * b.lo, i64{a.lo} * b.hi, i64{a.hi} * b.lo, i64{a.hi} * b.hi};
  return corners(v);
}

// Division truncates toward zero; the divisor zero raises an error and has no result.
Interval divide(Interval a, Interval b) {
  if (b.lo == 0 && b.hi == 0) return {0, 0};
  if (a.lo == arith::kLowest && b.contains(-1)) return kEverything;
  Interval result;
  const Interval halves[2] = {meet(b, {kEverything.lo, -1}), meet(b, {1, kEverything.hi})};
  for (const Interval half : halves) {
    if (half.empty()) continue;
    const i64 v[4] = {i64{a.lo} / half.lo, i64{a.lo} / half.hi, i64{a.hi} / half.lo,
                      i64{a.hi} / half.hi};
    result = join(result, corners(v));
  }
  if (a.contains(0)) result = join(result, {0, 0});
  return result;
}

// The result has the sign of the dividend and is smaller than the divisor in size.
Interval modulo(Interval a, Interval b) {
  const i64 size = std::max(std::abs(i64{b.lo}), std::abs(i64{b.hi}));
  if (size == 0) return {0, 0};
  const i64 most = size - 1;
  const i64 lo = a.lo >= 0 ? 0 : std::max(i64{a.lo}, -most);
  const i64 hi = a.hi <= 0 ? 0 : std::min(i64{a.hi}, most);
  return from_wide(lo, hi);
}

Interval shift_left(Interval a, Interval b) {
  if (!b.inside(0, 31)) return kEverything;
  const i64 v[4] = {i64{a.lo} * (i64{1} << b.lo), i64{a.lo} * (i64{1} << b.hi),
                    i64{a.hi} * (i64{1} << b.lo), i64{a.hi} * (i64{1} << b.hi)};
  return corners(v);
}

Interval shift_right(Interval a, Interval b) {
  if (!b.inside(0, 31)) return kEverything;
  const i64 v[4] = {a.lo >> b.lo, a.lo >> b.hi, a.hi >> b.lo, a.hi >> b.hi};
  return corners(v);
}

// Bit operators on non-negative operands: bounded by the next power of two. With a negative operand
// anything may come out.
Interval bitwise(Op op, Interval a, Interval b) {
  if (a.single() && b.single()) {
    const i32 v = op == Op::bit_and ? a.lo & b.lo : op == Op::bit_or ? a.lo | b.lo : a.lo ^ b.lo;
    return {v, v};
  }
  if (op == Op::bit_and) {
    if (a.lo >= 0 && b.lo >= 0) return {0, std::min(a.hi, b.hi)};
    if (a.lo >= 0) return {0, a.hi};
    if (b.lo >= 0) return {0, b.hi};
    return kEverything;
  }
  if (a.lo < 0 || b.lo < 0) return kEverything;
  const u32 most = static_cast<u32>(std::max(a.hi, b.hi));
  const i32 ceiling = static_cast<i32>((u64{1} << std::bit_width(most)) - 1);
  return {op == Op::bit_or ? std::max(a.lo, b.lo) : 0, ceiling};
}

Interval compare(Op op, Interval a, Interval b) {
  const bool can = !restrict_left(op, a, b).empty();
  const bool can_not = !restrict_left(negate_comparison(op), a, b).empty();
  return {can_not ? 0 : 1, can ? 1 : 0};
}

Interval truth_of(Interval a) {
  if (a.single() && a.lo == 0) return {0, 0};
  return a.contains(0) ? kTruth : Interval{1, 1};
}

}  // namespace

Op negate_comparison(Op op) {
  switch (op) {
    case Op::less:
      return Op::greater_equal;
    case Op::less_equal:
      return Op::greater;
    case Op::greater:
      return Op::less_equal;
    case Op::greater_equal:
      return Op::less;
    case Op::equal:
      return Op::not_equal;
    default:
      XMC_CHECK(op == Op::not_equal);
      return Op::equal;
  }
}

Op mirror_comparison(Op op) {
  switch (op) {
    case Op::less:
      return Op::greater;
    case Op::less_equal:
      return Op::greater_equal;
    case Op::greater:
      return Op::less;
    case Op::greater_equal:
      return Op::less_equal;
    default:
      return op;
  }
}

Interval restrict_left(Op op, Interval a, Interval b) {
  switch (op) {
    case Op::less:
      return b.hi == kEverything.lo ? Interval{} : meet(a, {kEverything.lo, b.hi - 1});
    case Op::less_equal:
      return meet(a, {kEverything.lo, b.hi});
    case Op::greater:
      return b.lo == kEverything.hi ? Interval{} : meet(a, {b.lo + 1, kEverything.hi});
    case Op::greater_equal:
      return meet(a, {b.lo, kEverything.hi});
    case Op::equal:
      return meet(a, b);
    default:
      break;
  }
  XMC_CHECK(op == Op::not_equal);
  if (!b.single()) return a;
  if (a.single() && a.lo == b.lo) return {};
  if (a.lo == b.lo) return {a.lo + 1, a.hi};
  if (a.hi == b.lo) return {a.lo, a.hi - 1};
  return a;
}

Interval apply_unary(Op op, Interval a) {
  switch (op) {
    case Op::negate:
      return from_wide(-i64{a.hi}, -i64{a.lo});
    case Op::bit_not:
      return {~a.hi, ~a.lo};
    default:
      break;
  }
  XMC_CHECK(op == Op::logical_not);
  const Interval t = truth_of(a);
  return {1 - t.hi, 1 - t.lo};
}

Interval apply_binary(Op op, Interval a, Interval b) {
  switch (op) {
    case Op::multiply:
      return multiply(a, b);
    case Op::divide:
      return divide(a, b);
    case Op::modulo:
      return modulo(a, b);
    case Op::add:
      return from_wide(i64{a.lo} + b.lo, i64{a.hi} + b.hi);
    case Op::subtract:
      return from_wide(i64{a.lo} - b.hi, i64{a.hi} - b.lo);
    case Op::shift_left:
      return shift_left(a, b);
    case Op::shift_right:
      return shift_right(a, b);
    case Op::bit_and:
    case Op::bit_xor:
    case Op::bit_or:
      return bitwise(op, a, b);
    case Op::logical_and: {
      const Interval s = truth_of(a), t = truth_of(b);
      return {std::min(s.lo, t.lo), std::min(s.hi, t.hi)};
    }
    case Op::logical_or: {
      const Interval s = truth_of(a), t = truth_of(b);
      return {std::max(s.lo, t.lo), std::max(s.hi, t.hi)};
    }
    case Op::imply: {
      const Interval s = truth_of(a), t = truth_of(b);
      return {std::max(1 - s.hi, t.lo), std::max(1 - s.lo, t.hi)};
    }
    default:
      break;
  }
  return compare(op, a, b);
}

}  // namespace xmc::ir
