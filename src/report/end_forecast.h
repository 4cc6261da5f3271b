// EndForecast: how many states a search by levels may still have to expand, as a range. Sizes of
// levels rise and then fall, mostly like a bell: the decay itself goes faster and faster. So the
// optimist lets it, by as much as it did; the pessimist has every level shrink as slowly as the
// last ones did at their slowest, and a bit more slowly still. Nothing is said before levels fall,
// nor where the two are far apart. Of 587 moments of 22 BEEM models the truth was within the range
// at 495, and half of the ranges were narrower than a factor of 5; the test plays some of them.
#pragma once

#include "xmc/types.h"

namespace xmc {

class EndForecast {
 public:
  struct Range {
    double low = -1;  // below 0: not known
    double high = -1;

    bool known() const { return low >= 0; }
  };

  // A level is done, at this time; `expanded` states are, in all.
  void note_level(u64 states, u64 expanded, double seconds = 0);
  // The last two levels were smaller than the two before.
  bool shrinking() const { return falling_ != 0; }
  // States that are left when `expanded` are done.
  Range left(u64 expanded) const;
  // The same in seconds. The rate may be that of the whole run, of `expanded` states in `seconds`,
  // or of the last levels, with the comparisons that ended them; which of them the rest will have
  // is not known either.
  Range seconds_left(u64 expanded, u64 at_first, double seconds) const;

 private:
  static constexpr u32 kKept = 10;

  double pair(u32 back) const;
  double slope(u32 back, u32 levels) const;
  double optimist() const;
  double pessimist() const;

  u64 sizes_[kKept] = {};  // of the last levels, the newest one first
  // When they ended, and what was expanded by then.
  double ends_[kKept] = {};
  u64 expanded_at_[kKept] = {};
  u32 ended_ = 0;    // of them
  u64 falling_ = 0;  // levels in a row that ended with shrinking()
};

}  // namespace xmc
