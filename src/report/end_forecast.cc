#include "report/end_forecast.h"

#include <algorithm>
#include <cmath>

namespace xmc {

namespace {

constexpr u32 kFallingLevels = 3;  // two may be an accident
constexpr u32 kLookBack = 8;       // levels whose decay is looked at
constexpr u32 kCurveBack = 4;      // and how its own change is measured
constexpr double kOptimism = 0.7;
constexpr double kPessimism = 0.25;
constexpr double kLeastSpan = 0.03;  // of the time so far, for a rate
// Ranges that say nothing, in states and in seconds; below a second none does harm.
constexpr double kWidest = 12;
constexpr double kWidestTime = 30;

// The next level is one and a half behind the middle of the last two.
constexpr double kNext = 1.5;

}  // namespace

// In many models even and odd levels differ.
double EndForecast::pair(u32 back) const {
  return static_cast<double>(sizes_[back] + sizes_[back + 1]);
}

// The logarithm of what a level is of the one before it, over so many levels.
double EndForecast::slope(u32 back, u32 levels) const {
  return std::log(pair(back) / pair(back + levels)) / levels;
}

void EndForecast::note_level(u64 states, u64 expanded, double seconds) {
  std::copy_backward(sizes_, sizes_ + kKept - 1, sizes_ + kKept);
  std::copy_backward(ends_, ends_ + kKept - 1, ends_ + kKept);
  std::copy_backward(expanded_at_, expanded_at_ + kKept - 1, expanded_at_ + kKept);
  sizes_[0] = states;
  ends_[0] = seconds;
  expanded_at_[0] = expanded;
  ended_ = std::min(ended_ + 1, kKept);
  falling_ = sizes_[3] != 0 && pair(0) < pair(2) ? falling_ + 1 : 0;
}

// The logarithm of sizes as a parabola: as bent as it was since the widest level, or lately.
double EndForecast::optimist() const {
  const u32 seen = static_cast<u32>(std::min<u64>(falling_, kLookBack));
  double steepest = slope(0, 2);
  double bend = steepest / static_cast<double>(falling_ + 1);
  const u32 back = std::min(kCurveBack, seen - 1);
  bend = std::min(bend, (slope(0, 2) - slope(back, 2)) / back);
  for (u32 i = 1; i < kFallingLevels; ++i) steepest = std::min(steepest, slope(i, 2));
  constexpr u32 kMostTerms = 4096;
  double sum = 0;
  for (u32 i = 0; i < kMostTerms; ++i) {
    const double behind = kNext + i;
    const double level = std::exp((steepest + bend) * behind + bend * behind * behind / 2);
    sum += level;
    if (level < 1e-3 * sum) break;
  }
  return sum * pair(0) / 2 * kOptimism;
}

double EndForecast::pessimist() const {
  const u32 most = static_cast<u32>(std::min<u64>(falling_ + 1, kLookBack));
  double flattest = slope(0, 2);
  for (u32 levels = 3; levels <= most; ++levels) {
    flattest = std::max(flattest, slope(0, levels));
  }
  flattest *= 1 - kPessimism;
  return pair(0) / 2 * std::exp(flattest * kNext) / (1 - std::exp(flattest));
}

EndForecast::Range EndForecast::left(u64 expanded) const {
  if (falling_ < kFallingLevels) return {};
  const double one = optimist();
  const double other = pessimist();
  const double low = std::min(one, other);
  const double high = std::max(one, other);
  // Where the search is behind what it was to do, the fit was wrong.
  const double done =
      expanded > expanded_at_[0] ? static_cast<double>(expanded - expanded_at_[0]) : 0;
  if (!(high <= low * kWidest) || high <= done) return {};
  return {std::max(low - done, 0.0), high - done};
}

EndForecast::Range EndForecast::seconds_left(u64 expanded, u64 at_first, double seconds) const {
  const Range states = left(expanded);
  if (!states.known() || expanded <= at_first || seconds <= 0) return {};
  double fastest = static_cast<double>(expanded - at_first) / seconds;
  double slowest = fastest;
  for (const u32 levels : {2u, 4u, 8u}) {
    // In a moment a search may do nothing but rest, or nothing but expand.
    if (levels >= ended_ || ends_[0] - ends_[levels] <= seconds * kLeastSpan) continue;
    if (expanded_at_[0] <= expanded_at_[levels]) continue;
    const double rate =
        static_cast<double>(expanded_at_[0] - expanded_at_[levels]) / (ends_[0] - ends_[levels]);
    fastest = std::max(fastest, rate);
    slowest = std::min(slowest, rate);
  }
  const Range range{states.low / fastest, states.high / slowest};
  return range.high <= kWidestTime * std::max(range.low, 1.0) ? range : Range();
}

}  // namespace xmc
