// When `serial` hands over from its cache to `disk`. The paper gives a share of the insertions that
// forget a state, 10%. But what is forgotten need not come again, and `disk` reads what its table
// lacks of the queue at the end of every level, so the cache may be the cheaper one to the end:
//
//   the cache pays for every repeat     its expansion; another one to take its counts back; its
//                                       entry of the queue in every scan that comes; and as much
//                                       again for the repeats that it leads to
//   disk would pay for every level      that has new states: a scan of those that its table lacks
//   the hand-over costs                 about a scan of all states
//
// A level that costs more than disk's leaves a debt, one that costs less takes from it. The
// hand-over is due when the debt has reached its price.
//
// That may never be: few repeats may lead to as many for ever. So there is a share of forgotten
// states, too, at which it is handed over in any case.
#pragma once

#include <algorithm>

#include "xmc/types.h"

namespace xmc {

class HandOverPolicy {
 public:
  // In any unit of time.
  struct Costs {
    double scan = 1;  // to pass over a state of the queue
    double expand = 10;
  };
  // As things are now; the last two are estimates, of all since the search began.
  struct Now {
    u64 entries = 0;  // of the queue
    u64 recent = 0;   // those that the table of disk would have
    u64 repeats = 0;
    u64 fresh = 0;
  };
  static constexpr u32 kMostPercent = 75;
  static constexpr double kExpansionsPerRepeat = 6;

  void begin(const Now& now) {
    *this = {};
    before_ = now;
  }
  bool measured() const { return measured_; }
  void measured(const Costs& costs) {
    costs_ = costs;
    measured_ = true;
  }
  // Within a level, which may still have new states.
  bool due(const Now& now) const {
    const double price = static_cast<double>(now.entries) * costs_.scan;
    return std::max(debt_, debt_ + paid(now) - saved(now)) > price;
  }
  void level_done(const Now& now) {
    const double less = now.fresh > before_.fresh ? saved(now) : 0;
    debt_ = std::max(0.0, debt_ + paid(now) - less);
    before_ = now;
  }
  // Met in this level.
  bool has_repeats(const Now& now) const { return now.repeats > before_.repeats; }

 private:
  // In this level.
  double paid(const Now& now) const {
    const double repeats = static_cast<double>(now.repeats - before_.repeats);
    return repeats * kExpansionsPerRepeat * costs_.expand;
  }
  double saved(const Now& now) const {
    return static_cast<double>(now.entries - std::min(now.entries, now.recent)) * costs_.scan;
  }

  Costs costs_;
  bool measured_ = false;
  Now before_;  // this level
  double debt_ = 0;
};

}  // namespace xmc
