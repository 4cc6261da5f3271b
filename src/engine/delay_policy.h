// When a detection pays: the forecast of Evangelista, "Dynamic Delayed Duplicate Detection for
// External Memory Model Checking" (2008), section 4.3. To read the visited set costs
// (|C| + |V|) rc; to go on without costs ec + (rc + wc)(2 + degree) for every duplicate among the
// candidates. How many there are is estimated: a level that is larger than forecast is so because
// of duplicates. The forecast goes on from the last level that is known exactly, by a rate that
// drops towards 1 and then 0.
//
// Formula (2) of the paper has min(0, ...) where max is meant; formula (4) raises a negative number
// once the rate is below epsilon, which is 0 here.
#pragma once

#include "xmc/types.h"

namespace xmc {

class DelayPolicy {
 public:
  // The paper's values, in units of a read.
  struct Costs {
    double read = 1;
    double write = 2;
    double expand = 2;
  };

  void reset() { *this = {}; }
  // A detection has shown the true sizes of the last two levels, and how many states the levels
  // since the detection before have together.
  void detected(u64 before_last, u64 last, u64 since);
  // The next level has this many candidates: whether to go on without a detection.
  bool delay(u64 candidates, u64 visited, double degree, const Costs& costs);
  // Sum of |forecast - truth| over the levels between two detections, in parts of all states.
  double forecast_error() const { return known_ > 0 ? error_ / known_ : 0; }

  // alpha+, alpha-, epsilon and beta of the paper.
  static constexpr double kDropAbove = 0.7;
  static constexpr double kDropBelow = 0.2;
  static constexpr double kEpsilon = 0.01;
  static constexpr double kCaution = 0.02;

  static double next_rate(double rate);

 private:
  double rate_ = 1;        // of the last level, forecast
  double size_ = 0;        // of the last level, forecast
  double slice_ = 0;       // of all levels since the detection, forecast
  double duplicates_ = 0;  // estimated since the detection
  double correction_ = 1;
  double error_ = 0;
  double known_ = 0;
};

}  // namespace xmc
