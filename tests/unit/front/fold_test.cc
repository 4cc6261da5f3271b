#include "front/fold.h"

#include <doctest/doctest.h>

#include <climits>

using namespace xmc;

namespace fold_test {

namespace {

constexpr i64 kHighest = 9223372036854775807;
constexpr i64 kLowest = -kHighest - 1;

template <class Value>
Value fold(Operator op, Value a, Value b) {
  Value result = 77;
  REQUIRE(fold_binary(op, a, b, result));
  return result;
}

i64 wide(Operator op, i64 a, i64 b) { return fold<i64>(op, a, b); }

template <class Value>
bool has_value(Operator op, Value a, Value b) {
  Value result = 0;
  return fold_binary(op, a, b, result);
}

bool fits(Operator op, i64 a, i64 b) { return has_value<i64>(op, a, b); }

}  // namespace

TEST_CASE("arithmetic wraps at 32 bits") {
  CHECK(fold(Operator::add, INT_MAX, 1) == INT_MIN);
  CHECK(fold(Operator::subtract, INT_MIN, 1) == INT_MAX);
  CHECK(fold(Operator::multiply, 65536, 65536) == 0);
  CHECK(fold(Operator::multiply, -3, 7) == -21);
  CHECK(fold_unary(Operator::negate, INT_MIN) == INT_MIN);
  CHECK(fold_unary(Operator::negate, 5) == -5);
  CHECK(fold_unary(Operator::bit_not, 0) == -1);
  CHECK(fold_unary(Operator::logical_not, 7) == 0);
  CHECK(fold_unary(Operator::logical_not, 0) == 1);
}

TEST_CASE("division truncates, the remainder follows the dividend") {
  CHECK(fold(Operator::divide, 7, 2) == 3);
  CHECK(fold(Operator::divide, -7, 2) == -3);
  CHECK(fold(Operator::modulo, -7, 2) == -1);
  CHECK(fold(Operator::modulo, 7, -2) == 1);
  CHECK(fold(Operator::divide, INT_MIN, -1) == INT_MIN);
  CHECK(fold(Operator::modulo, INT_MIN, -1) == 0);
  CHECK_FALSE(has_value(Operator::divide, 1, 0));
  CHECK_FALSE(has_value(Operator::modulo, 1, 0));
  CHECK(wide(Operator::divide, -7, 2) == -3);
  CHECK(wide(Operator::modulo, -7, 2) == -1);
  CHECK(wide(Operator::divide, 7, -1) == -7);
  CHECK(wide(Operator::modulo, 7, -1) == 0);
  CHECK_FALSE(fits(Operator::divide, 1, 0));
  CHECK_FALSE(fits(Operator::modulo, 1, 0));
}

TEST_CASE("shift counts of 32 bits are taken modulo 32 and the right shift keeps the sign") {
  CHECK(fold(Operator::shift_left, 1, 4) == 16);
  CHECK(fold(Operator::shift_left, 1, 31) == INT_MIN);
  CHECK(fold(Operator::shift_left, 1, 33) == 2);
  CHECK(fold(Operator::shift_left, 1, -1) == INT_MIN);
  CHECK(fold(Operator::shift_right, -8, 1) == -4);
  CHECK(fold(Operator::shift_right, -8, 32) == -8);
}

TEST_CASE("a negative count of 64 bits shifts the other way, and overlong shifts leave nothing") {
  CHECK(wide(Operator::shift_left, 1, 3) == 8);
  CHECK(wide(Operator::shift_left, 8, -3) == 1);
  CHECK(wide(Operator::shift_left, 1, 128) == 0);
  CHECK(wide(Operator::shift_left, 1, -128) == 0);
  CHECK(wide(Operator::shift_left, -1, kLowest) == -1);
  CHECK(wide(Operator::shift_right, -3, 1) == -2);
  CHECK(wide(Operator::shift_right, 1, -2) == 4);
  CHECK(wide(Operator::shift_right, 1, kLowest) == 0);
  CHECK(wide(Operator::shift_right, -1, 64) == -1);
}

TEST_CASE("an overflow of 64 bits has no value, and the lowest number is one") {
  i64 result = 0;
  CHECK_FALSE(fits(Operator::add, kHighest, 1));
  CHECK_FALSE(fits(Operator::subtract, -kHighest, 2));
  CHECK_FALSE(fits(Operator::multiply, kHighest, 2));
  CHECK_FALSE(fits(Operator::multiply, i64{1} << 32, i64{1} << 31));
  CHECK_FALSE(fold_unary(Operator::negate, kLowest, result));
  CHECK(wide(Operator::multiply, kHighest, -1) == -kHighest);
  CHECK(wide(Operator::add, kHighest, -1) == kHighest - 1);
  // It is what the machine has for undefined.
  CHECK_FALSE(fits(Operator::subtract, -kHighest, 1));
  CHECK_FALSE(fits(Operator::multiply, -(i64{1} << 32), i64{1} << 31));
  CHECK_FALSE(fits(Operator::shift_left, 1, 63));
  CHECK_FALSE(fold_unary(Operator::bit_not, kHighest, result));
}

TEST_CASE_TEMPLATE("comparisons, bits and logic", Value, i32, i64) {
  const auto gives = [](Operator op, Value a, Value b) { return fold<Value>(op, a, b); };
  CHECK(gives(Operator::less, -1, 0) == 1);
  CHECK(gives(Operator::less_equal, 1, 1) == 1);
  CHECK(gives(Operator::greater, 1, 1) == 0);
  CHECK(gives(Operator::greater_equal, 0, 1) == 0);
  CHECK(gives(Operator::equal, 3, 3) == 1);
  CHECK(gives(Operator::not_equal, 3, 3) == 0);
  CHECK(gives(Operator::bit_and, 6, 3) == 2);
  CHECK(gives(Operator::bit_or, 6, 3) == 7);
  CHECK(gives(Operator::bit_xor, 6, 3) == 5);
  CHECK(gives(Operator::logical_and, 2, -1) == 1);
  CHECK(gives(Operator::logical_and, 2, 0) == 0);
  CHECK(gives(Operator::logical_or, 0, -1) == 1);
  CHECK(gives(Operator::logical_or, 0, 0) == 0);
  CHECK(gives(Operator::imply, 1, 0) == 0);
  CHECK(gives(Operator::imply, 0, 0) == 1);
  CHECK(gives(Operator::imply, 5, -5) == 1);
}

TEST_CASE("only the deciding left operand ends a short circuit") {
  bool result = true;
  CHECK(fold_short_circuit(Operator::logical_and, false, result));
  CHECK_FALSE(result);
  CHECK(fold_short_circuit(Operator::logical_or, true, result));
  CHECK(result);
  CHECK(fold_short_circuit(Operator::imply, false, result));
  CHECK(result);
  CHECK_FALSE(fold_short_circuit(Operator::logical_and, true, result));
  CHECK_FALSE(fold_short_circuit(Operator::logical_or, false, result));
  CHECK_FALSE(fold_short_circuit(Operator::imply, true, result));
  CHECK_FALSE(fold_short_circuit(Operator::add, false, result));
}

}  // namespace fold_test
