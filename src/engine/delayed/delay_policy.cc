#include "engine/delayed/delay_policy.h"

#include <algorithm>
#include <cmath>

namespace xmc {

double DelayPolicy::next_rate(double rate) {
  if (rate >= 1) return rate * std::pow(rate + kEpsilon, -kDropAbove);
  return rate * std::pow(std::max(rate - kEpsilon, 0.0), kDropBelow);
}

void DelayPolicy::detected(u64 before_last, u64 last, u64 since) {
  const double truth = static_cast<double>(since);
  error_ += std::abs(slice_ - truth);
  known_ += truth;
  rate_ = before_last == 0 ? 1 : static_cast<double>(last) / static_cast<double>(before_last);
  size_ = static_cast<double>(last);
  slice_ = duplicates_ = judged_ = paid_ = levels_ = sampled_ = 0;
  blind_ = 0;
  correction_ = 1;
}

// Going on pays as long as this level costs less than the levels since the detection, and the
// detection itself, did on average.
bool DelayPolicy::goes_on(const Level& level, const Costs& costs) {
  ++levels_;
  const double each = revisit(costs, level.degree);
  const double before = static_cast<double>(level.visited) * costs.read + paid_;
  paid_ = duplicates_ * each;
  const double now = (duplicates_ - judged_) * each;
  judged_ = duplicates_;
  sampled_ = 0;
  blind_ = 0;
  return before > now * levels_;
}

bool DelayPolicy::delay(const Level& level, const Costs& costs) {
  const double candidates = static_cast<double>(level.candidates);
  const double missed =
      std::clamp(looked_ > 0 ? 1 - looked_found_ / looked_ : 1.0, kLeastMissed, 1.0);
  rate_ = next_rate(rate_);
  size_ *= rate_;
  if (level.duplicates >= 0) {
    duplicates_ += missed * level.duplicates;
    slice_ += level.fresh;
  } else {
    duplicates_ += correction_ * std::max(0.0, candidates - size_);
    slice_ += size_;
    correction_ *= 1 + kCaution;
  }
  sampled_ += level.duplicates >= 0 ? level.sampled : kLeastSampled;
  const bool thin = sampled_ < kLeastSampled;
  const bool wait = thin ? ++blind_ < kBlindLevels : goes_on(level, costs);
  if (wait && level.duplicates > 0) {
    looked_ = looked_ * kFade + level.duplicates;
    looked_found_ *= kFade;
  }
  return wait;
}

}  // namespace xmc
