// Whether leaving steps out pays, by samples of the first states as models have them.
#include <doctest/doctest.h>

#include "cli/run/input/step_price.h"

using namespace xmc;

namespace step_price_test {

namespace {

// 5,000 states of 20 levels with three steps each, and as many of the levels' states as are left.
StepSample sample(u32 left, u64 taken, u64 work_each) {
  StepSample s;
  s.all = {20, 5000, 4000, 12000, false};
  const u32 expanded = left / 5 * 4;
  s.some = {20, left, expanded, expanded * taken, false};
  s.counts = {u64{expanded} * 3, expanded * taken, expanded * work_each};
  s.state_words = 2;
  return s;
}

}  // namespace

TEST_CASE("steps are left out where what goes is worth more than finding it") {
  CHECK(judge_steps(sample(500, 1, 3000)).pays);
  CHECK(judge_steps(sample(2500, 2, 500)).pays);
  // Hardly a state goes, though a third of the steps does, or each state costs twice as much.
  CHECK_FALSE(judge_steps(sample(4950, 2, 1000)).pays);
  CHECK_FALSE(judge_steps(sample(2500, 2, 8000)).pays);
  CHECK_FALSE(judge_steps(sample(5000, 3, 0)).pays);
}

TEST_CASE("rules make all successors before some go, which saves no more than states") {
  StepSample s = sample(4900, 1, 0);
  CHECK(judge_steps(s).pays);
  s.makes_all = true;
  const StepPrices prices = step_prices(s);
  CHECK(prices.some * 5 > prices.all * 4);
  CHECK_FALSE(judge_steps(s).pays);
}

TEST_CASE("choices have to be cheap where they would cost more than what they may save") {
  CHECK(judge_steps(sample(500, 1, 3000)).most_work == kPatientWork);
  CHECK(judge_steps(sample(4000, 2, 1500)).most_work == kPatientWork);
  CHECK(judge_steps(sample(5000, 3, 40000)).most_work == kImpatientWork);
  CHECK(is_too_dear(sample(5000, 3, 40000)));
  CHECK_FALSE(is_too_dear(sample(500, 1, 3000)));
}

TEST_CASE("samples of different levels say nothing") {
  StepSample s = sample(500, 1, 1000);
  s.some.levels = 19;
  CHECK_FALSE(judge_steps(s).pays);
  s.some.whole = true;
  CHECK(judge_steps(s).pays);
  s.all.levels = s.some.levels = 0;
  CHECK_FALSE(judge_steps(s).pays);
}

}  // namespace step_price_test
