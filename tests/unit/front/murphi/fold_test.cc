#include "front/murphi/fold.h"

#include <doctest/doctest.h>

using namespace xmc;

namespace fold_test {

using murphi::Op;

namespace {

constexpr i64 kHighest = 9223372036854775807;
constexpr i64 kLowest = -kHighest - 1;

i64 fold(Op op, i64 a, i64 b) {
  i64 result = 0;
  REQUIRE(murphi::fold_binary(op, a, b, result));
  return result;
}

bool has_value(Op op, i64 a, i64 b) {
  i64 result = 0;
  return murphi::fold_binary(op, a, b, result);
}

}  // namespace

TEST_CASE("division truncates toward zero") {
  CHECK(fold(Op::divide, -7, 2) == -3);
  CHECK(fold(Op::modulo, -7, 2) == -1);
  CHECK(fold(Op::divide, 7, -1) == -7);
  CHECK(fold(Op::modulo, kLowest, -1) == 0);
  CHECK_FALSE(has_value(Op::divide, 1, 0));
  CHECK_FALSE(has_value(Op::modulo, 1, 0));
  CHECK_FALSE(has_value(Op::divide, kLowest, -1));
}

TEST_CASE("an overflow has no value") {
  i64 result = 0;
  CHECK_FALSE(has_value(Op::add, kHighest, 1));
  CHECK_FALSE(has_value(Op::subtract, kLowest, 1));
  CHECK_FALSE(has_value(Op::multiply, kHighest, 2));
  CHECK_FALSE(has_value(Op::multiply, kLowest, -1));
  CHECK_FALSE(has_value(Op::multiply, -1, kLowest));
  CHECK_FALSE(has_value(Op::multiply, i64{1} << 32, i64{1} << 31));
  CHECK(fold(Op::multiply, -(i64{1} << 32), i64{1} << 31) == kLowest);
  CHECK(fold(Op::multiply, kHighest, -1) == -kHighest);
  CHECK(fold(Op::multiply, 0, kLowest) == 0);
  CHECK_FALSE(murphi::fold_unary(Op::negate, kLowest, result));
  CHECK(fold(Op::add, kHighest, -1) == kHighest - 1);
}

TEST_CASE("a negative count shifts the other way, and overlong shifts leave nothing") {
  CHECK(murphi::shift_left(1, 3) == 8);
  CHECK(murphi::shift_left(8, -3) == 1);
  CHECK(murphi::shift_left(1, 128) == 0);
  CHECK(murphi::shift_left(1, -128) == 0);
  CHECK(murphi::shift_left(-1, kLowest) == -1);
  CHECK(murphi::shift_right(-3, 1) == -2);
  CHECK(murphi::shift_right(1, -2) == 4);
  CHECK(murphi::shift_right(1, kLowest) == 0);
  CHECK(murphi::shift_right(-1, 64) == -1);
}

TEST_CASE("comparisons, bits and logic") {
  CHECK(fold(Op::less, 1, 2) == 1);
  CHECK(fold(Op::greater_equal, 1, 2) == 0);
  CHECK(fold(Op::not_equal, 1, 2) == 1);
  CHECK(fold(Op::bit_xor, 6, 3) == 5);
  CHECK(fold(Op::imply, 0, 0) == 1);
  i64 result = 7;
  CHECK(murphi::fold_short_circuit(Op::logical_and, 0, result));
  CHECK(result == 0);
  CHECK(murphi::fold_short_circuit(Op::imply, 0, result));
  CHECK(result == 1);
  CHECK_FALSE(murphi::fold_short_circuit(Op::logical_or, 0, result));
  CHECK_FALSE(murphi::fold_short_circuit(Op::add, 0, result));
}

}  // namespace fold_test
