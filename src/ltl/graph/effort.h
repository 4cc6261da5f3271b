// Effort: a count of elementary steps that bounds the time of a translation, the same on every
// machine. Work that only makes an automaton smaller is left out when the effort is spent; work
// that must be done fails then.
#pragma once

#include "xmc/types.h"

namespace xmc::ltl {

class Effort {
 public:
  explicit Effort(u64 steps) : left_(steps) {}

  // False when there are fewer left; then there are none.
  bool spend(u64 steps) {
    if (steps > left_) {
      left_ = 0;
      return false;
    }
    left_ -= steps;
    return true;
  }
  u64 left() const { return left_; }

 private:
  u64 left_;
};

}  // namespace xmc::ltl
