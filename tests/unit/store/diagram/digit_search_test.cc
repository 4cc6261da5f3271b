#include "store/diagram/digit_search.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <set>
#include <vector>

using namespace xmc;

namespace digit_search_test {

TEST_CASE("the first digit that is not below another one is found among any digits") {
  std::mt19937 dice(11);
  for (u32 round = 0; round < 2000; ++round) {
    const u32 range = round % 3 == 0 ? 256 : 1 + dice() % 256;
    std::set<u8> chosen;
    for (u32 i = 1 + dice() % 40; i > 0; --i) chosen.insert(static_cast<u8>(dice() % range));
    std::vector<u8> digits(chosen.begin(), chosen.end());
    const u32 count = static_cast<u32>(digits.size());
    // What follows must not matter.
    for (u32 i = 0; i < 8; ++i) digits.push_back(static_cast<u8>(dice()));
    const u32 from = dice() % (count + 1);
    const u32 digit = dice() % 256;
    u32 expected = from;
    while (expected < count && digits[expected] < digit) ++expected;
    CHECK(first_not_below(digits.data(), from, count, digit) == expected);
  }
}

}  // namespace digit_search_test
