#include "engine/delayed/delay_policy.h"

#include <doctest/doctest.h>

using namespace xmc;

namespace delay_policy_test {

namespace {

constexpr DelayPolicy::Costs kCosts = {1, 2, 100};

DelayPolicy::Level level(u64 candidates, double duplicates, double sampled) {
  DelayPolicy::Level level;
  level.candidates = candidates;
  level.duplicates = duplicates;
  level.fresh = static_cast<double>(candidates) - duplicates;
  level.sampled = sampled;
  level.visited = 1'000'000;
  level.degree = 2;
  return level;
}

}  // namespace

TEST_CASE("a detection waits for as long as duplicates cost less than it does") {
  // A duplicate costs 112 reads, a detection a million.
  DelayPolicy policy;
  CHECK(policy.delay(level(20'000, 5'000, 40), kCosts));
  policy.reset();
  CHECK_FALSE(policy.delay(level(20'000, 10'000, 40), kCosts));
  // Growing slowly: this level against what a level took on average, the detection included.
  policy.reset();
  u32 levels = 0;
  while (policy.delay(level(20'000, 100.0 * ++levels, 40), kCosts)) REQUIRE(levels < 100);
  // 112 * 100 n^2 passes 10^6 + 112 * 100 n (n - 1) / 2 at n = 13.
  CHECK(levels == 13);
  // After a detection it begins anew.
  policy.detected(20'000, 20'000, 260'000);
  CHECK(policy.delay(level(20'000, 1'300, 40), kCosts));
}

TEST_CASE("levels that are too thin for the sample are judged together") {
  // One sampled state stands for 20,000: by itself it would be worth a detection.
  const double factor = 20'000;
  DelayPolicy thin;
  CHECK(thin.delay(level(300, factor, 300 / factor), kCosts));
  for (u32 i = 0; i < 200; ++i) CHECK(thin.delay(level(300, 0, 300 / factor), kCosts));
  // All of them together: the sample has enough when 4 * 20,000 candidates are there.
  u32 more = 0;
  while (thin.delay(level(300, 0, 300 / factor), kCosts)) REQUIRE(++more < 100);
  CHECK(201 + more == 80'000 / 300);
  // What is asked of thin levels holds for wide ones by themselves.
  DelayPolicy wide;
  CHECK_FALSE(wide.delay(level(80'000, factor, 4), kCosts));
}

TEST_CASE("levels of which the sample has nothing are compared after a while") {
  DelayPolicy policy;
  u32 levels = 1;
  while (policy.delay(level(1, 0, 0), kCosts)) REQUIRE(++levels < 1000);
  CHECK(levels == DelayPolicy::kBlindLevels);
  // Behind a resume at once.
  policy.reset();
  policy.judge_next();
  CHECK_FALSE(policy.delay(level(1, 0, 0), kCosts));
}

TEST_CASE("what partial detections will find costs nothing") {
  DelayPolicy found;
  CHECK(found.delay(level(20'000, 5'000, 40), kCosts));
  found.found(5'000);
  CHECK(found.delay(level(20'000, 8'000, 40), kCosts));
  DelayPolicy missed;
  CHECK(missed.delay(level(20'000, 5'000, 40), kCosts));
  CHECK_FALSE(missed.delay(level(20'000, 8'000, 40), kCosts));
}

TEST_CASE("the error of the forecast is in parts of all states") {
  DelayPolicy policy;
  policy.delay(level(1'000, 100, 40), kCosts);  // 900 new ones
  policy.detected(1'000, 1'000, 1'000);
  CHECK(policy.forecast_error() == doctest::Approx(0.1));
  // Without a sample: what exceeds the forecast is duplicates. The rate drops towards 1.
  policy.delay(level(5'000, DelayPolicy::kUnknown, 0), kCosts);
  policy.detected(1'000, 1'000, 1'000);
  CHECK(policy.forecast_error() < 0.1);
}

}  // namespace delay_policy_test
