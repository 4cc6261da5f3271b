#include "front/dve/dve_fold.h"

#include <doctest/doctest.h>

#include <climits>

using namespace xmc;

namespace fold_test {

using dve::Op;

namespace {

i32 fold(Op op, i32 a, i32 b) {
  i32 result = 12345;
  REQUIRE(dve::fold_binary(op, a, b, result));
  return result;
}

}  // namespace

TEST_CASE("arithmetic wraps at 32 bits") {
  CHECK(fold(Op::add, INT_MAX, 1) == INT_MIN);
  CHECK(fold(Op::subtract, INT_MIN, 1) == INT_MAX);
  CHECK(fold(Op::multiply, 65536, 65536) == 0);
  CHECK(fold(Op::multiply, -3, 7) == -21);
  CHECK(dve::fold_unary(Op::negate, INT_MIN) == INT_MIN);
  CHECK(dve::fold_unary(Op::negate, 5) == -5);
  CHECK(dve::fold_unary(Op::bit_not, 0) == -1);
  CHECK(dve::fold_unary(Op::logical_not, 7) == 0);
  CHECK(dve::fold_unary(Op::logical_not, 0) == 1);
}

TEST_CASE("division truncates, the remainder follows the dividend") {
  CHECK(fold(Op::divide, 7, 2) == 3);
  CHECK(fold(Op::divide, -7, 2) == -3);
  CHECK(fold(Op::modulo, -7, 2) == -1);
  CHECK(fold(Op::modulo, 7, -2) == 1);
  CHECK(fold(Op::divide, INT_MIN, -1) == INT_MIN);
  CHECK(fold(Op::modulo, INT_MIN, -1) == 0);
  i32 result = 0;
  CHECK_FALSE(dve::fold_binary(Op::divide, 1, 0, result));
  CHECK_FALSE(dve::fold_binary(Op::modulo, 1, 0, result));
}

TEST_CASE("shift counts are taken modulo 32 and the right shift keeps the sign") {
  CHECK(fold(Op::shift_left, 1, 4) == 16);
  CHECK(fold(Op::shift_left, 1, 31) == INT_MIN);
  CHECK(fold(Op::shift_left, 1, 33) == 2);
  CHECK(fold(Op::shift_left, 1, -1) == INT_MIN);
  CHECK(fold(Op::shift_right, -8, 1) == -4);
  CHECK(fold(Op::shift_right, -8, 32) == -8);
}

TEST_CASE("comparisons, bits and logic") {
  CHECK(fold(Op::less, -1, 0) == 1);
  CHECK(fold(Op::less_equal, 1, 1) == 1);
  CHECK(fold(Op::greater, 1, 1) == 0);
  CHECK(fold(Op::greater_equal, 0, 1) == 0);
  CHECK(fold(Op::equal, 3, 3) == 1);
  CHECK(fold(Op::not_equal, 3, 3) == 0);
  CHECK(fold(Op::bit_and, 6, 3) == 2);
  CHECK(fold(Op::bit_or, 6, 3) == 7);
  CHECK(fold(Op::bit_xor, 6, 3) == 5);
  CHECK(fold(Op::logical_and, 2, -1) == 1);
  CHECK(fold(Op::logical_or, 0, -1) == 1);
  CHECK(fold(Op::logical_or, 0, 0) == 0);
  CHECK(fold(Op::imply, 1, 0) == 0);
  CHECK(fold(Op::imply, 5, -5) == 1);
}

TEST_CASE("only the deciding left operand ends a short circuit") {
  i32 result = 7;
  CHECK(dve::fold_short_circuit(Op::logical_and, 0, result));
  CHECK(result == 0);
  CHECK(dve::fold_short_circuit(Op::logical_or, 9, result));
  CHECK(result == 1);
  CHECK(dve::fold_short_circuit(Op::imply, 0, result));
  CHECK(result == 1);
  CHECK_FALSE(dve::fold_short_circuit(Op::logical_and, 1, result));
  CHECK_FALSE(dve::fold_short_circuit(Op::logical_or, 0, result));
  CHECK_FALSE(dve::fold_short_circuit(Op::imply, 1, result));
  CHECK_FALSE(dve::fold_short_circuit(Op::add, 0, result));
}

}  // namespace fold_test
