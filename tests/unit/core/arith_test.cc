// The arithmetic that every execution shares: the corners, spelled out.
#include <doctest/doctest.h>

#include "xmc/arith.h"

using namespace xmc;

namespace arith_test {

TEST_CASE("sums, products and negation wrap") {
  CHECK(arith::add(2147483647, 1) == arith::kLowest);
  CHECK(arith::subtract(arith::kLowest, 1) == 2147483647);
  CHECK(arith::multiply(65536, 65536) == 0);
  CHECK(arith::negate(arith::kLowest) == arith::kLowest);
}

TEST_CASE("division truncates, the remainder has the dividend's sign") {
  CHECK(arith::divide(-7, 2) == -3);
  CHECK(arith::modulo(-7, 2) == -1);
  CHECK(arith::modulo(7, -2) == 1);
  CHECK(arith::divide(arith::kLowest, -1) == arith::kLowest);
  CHECK(arith::modulo(arith::kLowest, -1) == 0);
}

TEST_CASE("shift counts are taken modulo 32 and the sign is kept") {
  CHECK(arith::shift_left(1, 33) == 2);
  CHECK(arith::shift_left(1, -1) == arith::kLowest);
  CHECK(arith::shift_right(-8, 1) == -4);
  CHECK(arith::shift_right(-8, 32) == -8);
}

TEST_CASE("typed channels keep the low bits") {
  CHECK(arith::to_byte(-1) == 255);
  CHECK(arith::to_byte(256) == 0);
  CHECK(arith::to_int(32768) == -32768);
  CHECK(arith::to_int(-32769) == 32767);
}

}  // namespace arith_test
