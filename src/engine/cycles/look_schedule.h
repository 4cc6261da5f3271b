// LookSchedule: when a search that goes on is looked at. What is looked at is several times as
// large as the last time, and all looks together take a part of the time at most.
#pragma once

#include "xmc/types.h"

namespace xmc {

class LookSchedule {
 public:
  // Anew; without a clock the time does not matter.
  void start(u64 (*now_ns)()) {
    *this = {};
    now_ns_ = now_ns;
  }
  // The search begins, or goes on where a checkpoint was.
  void begin() {
    looks_ = spent_us_ = 0;
    if (now_ns_ != nullptr) begin_ns_ = now_ns_();
  }

  bool is_due(u64 states) const {
    if (states < next_) return false;
    return now_ns_ == nullptr || spent_us_ * 1000 <= (now_ns_() - begin_ns_) / kShare;
  }
  // So many states are looked at now; next time at so many times as many.
  void look(u64 states, u64 growth) {
    next_ = states * growth;
    ++looks_;
  }
  // Time that looks have taken.
  u64& spent_us() { return spent_us_; }

  // States at which the next look is due.
  u64 next() const { return next_; }
  void set_next(u64 states) { next_ = states; }
  u64 looks() const { return looks_; }

 private:
  static constexpr u64 kFirst = 16384;
  static constexpr u64 kShare = 4;

  u64 next_ = kFirst;
  u64 looks_ = 0;
  u64 (*now_ns_)() = nullptr;
  u64 begin_ns_ = 0;
  u64 spent_us_ = 0;
};

}  // namespace xmc
