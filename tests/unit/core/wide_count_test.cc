#include "xmc/wide_count.h"

#include <doctest/doctest.h>

#include <string>

#include "xmc/text.h"

using namespace xmc;

namespace wide_count_test {

namespace {

std::string text_of(const WideCount& n, bool commas = false) {
  FixedText<WideCount::kDecimalText> out;
  n.write(out, commas);
  CHECK_FALSE(out.cut());
  return std::string(out.view());
}

// The same number by schoolbook addition of digits.
std::string doubled(const std::string& digits) {
  std::string sum;
  u32 carry = 0;
  for (std::size_t i = digits.size(); i-- > 0;) {
    const u32 d = 2 * static_cast<u32>(digits[i] - '0') + carry;
    sum.insert(sum.begin(), static_cast<char>('0' + d % 10));
    carry = d / 10;
  }
  return carry == 0 ? sum : "1" + sum;
}

TEST_CASE("powers of two, digit by digit") {
  std::string digits = "1";
  WideCount power = 1;
  WideCount below = 0;  // all powers before: one less
  for (u32 bit = 0; bit < WideCount::kBits; ++bit) {
    REQUIRE(text_of(power) == digits);
    CHECK(power.fits_u64() == (bit < 64));
    const std::string less = text_of(below);
    WideCount next = below;
    next.add(1);
    CHECK(next == power);
    below.add(power);
    power.add(WideCount(power));
    digits = doubled(digits);
    if (bit == 64) CHECK(less == "18446744073709551615");
  }
  // 2^512 does not fit, and one less does.
  CHECK(power.over);
  CHECK_FALSE(power.fits_u64());
  CHECK(text_of(power) == "2^512");
  CHECK_FALSE(below.over);
  WideCount last = below;
  last.add(1);
  CHECK(last == power);
  power.add(1);
  CHECK(power == last);
  last = 1;
  last.add(power);
  CHECK(last.over);
}

TEST_CASE("zeros inside, and commas") {
  CHECK(text_of(0) == "0");
  CHECK(text_of(0, true) == "0");
  CHECK(text_of(999, true) == "999");
  CHECK(text_of(1'000'000'000, true) == "1,000,000,000");
  CHECK(text_of(10'000'000'000'000'000'005u, true) == "10,000,000,000,000,000,005");
  WideCount n = 10'000'000'000'000'000'000u;
  for (u32 i = 0; i < 3; ++i) {
    const WideCount once = n;
    for (u32 k = 1; k < 10; ++k) n.add(once);
  }
  CHECK(text_of(n, true) == "10,000,000,000,000,000,000,000");
}

}  // namespace

}  // namespace wide_count_test
