#include <doctest/doctest.h>

#include "ir/interval.h"
#include "xmc/arith.h"

using namespace xmc;

namespace interval_test {

using ir::Interval;
using ir::Op;

namespace {

constexpr i32 kFrom = -6;
constexpr i32 kTo = 6;

bool evaluate(Op op, i32 a, i32 b, i32& r) {
  switch (op) {
    case Op::multiply:
      r = arith::multiply(a, b);
      return true;
    case Op::divide:
      if (b != 0) r = arith::divide(a, b);
      return b != 0;
    case Op::modulo:
      if (b != 0) r = arith::modulo(a, b);
      return b != 0;
    case Op::add:
      r = arith::add(a, b);
      return true;
    case Op::subtract:
      r = arith::subtract(a, b);
      return true;
    case Op::shift_left:
      r = arith::shift_left(a, b);
      return true;
    case Op::shift_right:
      r = arith::shift_right(a, b);
      return true;
    case Op::less:
      r = a < b;
      return true;
    case Op::less_equal:
      r = a <= b;
      return true;
    case Op::greater:
      r = a > b;
      return true;
    case Op::greater_equal:
      r = a >= b;
      return true;
    case Op::equal:
      r = a == b;
      return true;
    case Op::not_equal:
      r = a != b;
      return true;
    case Op::bit_and:
      r = a & b;
      return true;
    case Op::bit_xor:
      r = a ^ b;
      return true;
    case Op::bit_or:
      r = a | b;
      return true;
    case Op::logical_and:
      r = a != 0 && b != 0;
      return true;
    case Op::logical_or:
      r = a != 0 || b != 0;
      return true;
    default:
      r = a == 0 || b != 0;
      return true;
  }
}

}  // namespace

TEST_CASE("every result of an operator lies in the interval of its operands' intervals") {
  for (u32 code = static_cast<u32>(Op::multiply); code <= static_cast<u32>(Op::imply); ++code) {
    const Op op = static_cast<Op>(code);
    bool all = true;
    for (i32 al = kFrom; al <= kTo; ++al)
      for (i32 ah = al; ah <= kTo; ++ah)
        for (i32 bl = kFrom; bl <= kTo; ++bl)
          for (i32 bh = bl; bh <= kTo; ++bh) {
            const Interval result = ir::apply_binary(op, {al, ah}, {bl, bh});
            for (i32 a = al; a <= ah; ++a)
              for (i32 b = bl; b <= bh; ++b) {
                i32 r = 0;
                if (evaluate(op, a, b, r) && !result.contains(r)) all = false;
              }
          }
    CAPTURE(code);
    CHECK(all);
  }
}

TEST_CASE("small intervals are not given away") {
  CHECK(ir::apply_binary(Op::add, {1, 2}, {3, 4}) == Interval{4, 6});
  CHECK(ir::apply_binary(Op::subtract, {1, 2}, {3, 4}) == Interval{-3, -1});
  CHECK(ir::apply_binary(Op::modulo, {0, 100}, {8, 8}) == Interval{0, 7});
  CHECK(ir::apply_binary(Op::bit_and, {0, 255}, {1, 1}) == Interval{0, 1});
  CHECK(ir::apply_binary(Op::less, {1, 2}, {3, 4}) == Interval{1, 1});
  CHECK(ir::apply_binary(Op::equal, {1, 2}, {3, 4}) == Interval{0, 0});
}

TEST_CASE("results that may wrap are everything") {
  const i32 most = ir::kEverything.hi;
  CHECK(ir::apply_binary(Op::add, {most, most}, {0, 1}) == ir::kEverything);
  CHECK(ir::apply_binary(Op::divide, {arith::kLowest, 0}, {-1, 1}) == ir::kEverything);
  CHECK(ir::apply_unary(Op::negate, {arith::kLowest, 0}) == ir::kEverything);
  CHECK(ir::apply_binary(Op::shift_left, {1, 1}, {31, 31}) == ir::kEverything);
  CHECK(ir::apply_binary(Op::shift_left, {1, 1}, {0, 32}) == ir::kEverything);
}

TEST_CASE("restricting keeps exactly the values that can satisfy the comparison") {
  for (u32 code = static_cast<u32>(Op::less); code <= static_cast<u32>(Op::not_equal); ++code) {
    const Op op = static_cast<Op>(code);
    for (i32 al = kFrom; al <= kTo; ++al)
      for (i32 ah = al; ah <= kTo; ++ah)
        for (i32 bl = kFrom; bl <= kTo; ++bl)
          for (i32 bh = bl; bh <= kTo; ++bh) {
            const Interval kept = ir::restrict_left(op, {al, ah}, {bl, bh});
            i32 first = kTo + 1;
            i32 last = kFrom - 1;
            for (i32 a = al; a <= ah; ++a)
              for (i32 b = bl; b <= bh; ++b) {
                i32 r = 0;
                evaluate(op, a, b, r);
                if (r == 0) continue;
                first = a < first ? a : first;
                last = a > last ? a : last;
              }
            const bool none = first > last;
            if (none ? !kept.empty() : kept != Interval{first, last}) {
              CAPTURE(code);
              CAPTURE(al);
              CAPTURE(ah);
              CAPTURE(bl);
              CAPTURE(bh);
              FAIL_CHECK("restricted to " << kept.lo << ".." << kept.hi);
            }
          }
  }
}

}  // namespace interval_test
