// When a detection pays: the rule of Evangelista, "Dynamic Delayed Duplicate Detection for External
// Memory Model Checking" (2008), section 4.3. To read the visited set costs |V| rc; to go on
// without costs ec + (rc + wc)(2 + degree) for every duplicate among the candidates. The paper
// waits until the duplicates since the last detection have cost as much as one, which is best when
// their number grows evenly from level to level. It often grows faster, since a duplicate leads to
// others; so a detection is due here when the duplicates of this level cost more than a level did
// on average since the last one, the detection included.
//
// How many duplicates there are is estimated. The paper forecasts the size of a level from the last
// one that is known exactly, by a rate that drops towards 1 and then 0, and takes what is more for
// duplicates: that was off by 5 to 60% of the states here. A sample of the visited states
// (store/tables/fingerprint_sample.h) tells better; the forecast is for when there is none.
//
// A sample says nothing about a level of a few hundred states, of which it has none or one, which
// then stands for thousands: thin levels are judged together, when there are enough for a few
// samples (resistance.1, 242 states in a level: 1,392 to 339 detections, a third of the time). A
// cycle of states that are all outside of the sample would go round for ever that way, so that a
// detection is due after so many levels that are too thin to be judged (kBlindLevels).
//
// Those that partial detections will find cost nothing: they are left out by the share that was
// found in the last levels that went on (bakery.5: 80 to 20 detections).
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
  static constexpr double kUnknown = -1;
  struct Level {
    u64 candidates = 0;
    double duplicates = kUnknown;  // among them, by a sample
    double fresh = 0;              // different new states among them, by the same
    double sampled = 0;            // so many candidates does the sample have
    u64 visited = 0;
    double degree = 1;
  };

  void reset() { *this = {}; }
  // Nothing is known of the levels before: the next one is judged, however thin it is.
  void judge_next() { blind_ = kBlindLevels; }
  // A detection has shown the true sizes of the last two levels, and how many states the levels
  // since the detection before have together.
  void detected(u64 before_last, u64 last, u64 since);
  // Whether to go on with the next level without a detection.
  bool delay(const Level& level, const Costs& costs);
  // A partial detection has found this many duplicates in a level that goes on.
  void found(u64 duplicates) { looked_found_ += static_cast<double>(duplicates); }
  // Sum of |estimate - truth| over the levels between two detections, in parts of all states.
  double forecast_error() const { return known_ > 0 ? error_ / known_ : 0; }
  static double revisit(const Costs& costs, double degree) {
    return costs.expand + (costs.read + costs.write) * (2 + degree);
  }

  // alpha+, alpha-, epsilon and beta of the paper.
  static constexpr double kDropAbove = 0.7;
  static constexpr double kDropBelow = 0.2;
  static constexpr double kEpsilon = 0.01;
  static constexpr double kCaution = 0.02;

  static double next_rate(double rate);
  // How the levels before fade against the last one, and the least share that is never found.
  static constexpr double kFade = 0.8;
  static constexpr double kLeastMissed = 0.05;
  static constexpr double kLeastSampled = 4;
  static constexpr u32 kBlindLevels = 512;

 private:
  bool goes_on(const Level& level, const Costs& costs);

  double rate_ = 1;        // of the last level, forecast
  double size_ = 0;        // of the last level, forecast
  double slice_ = 0;       // of all levels since the detection, estimated
  double duplicates_ = 0;  // estimated since the detection
  double judged_ = 0;      // those of levels that were judged
  double paid_ = 0;        // for them
  double levels_ = 0;      // since the detection, thin ones together
  double sampled_ = 0;     // of levels that were not judged
  u32 blind_ = 0;          // levels since one was judged
  double correction_ = 1;
  // Of the last levels that went on, fading: what was estimated, and what was found of it.
  double looked_ = 0;
  double looked_found_ = 0;
  double error_ = 0;
  double known_ = 0;
};

}  // namespace xmc
