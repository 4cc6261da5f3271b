// ScanCost: what a detection takes for a state that it passes over, and what for one that it finds.
// Both are in the time of every detection; the least squares over all of them tell them apart.
#pragma once

#include "xmc/types.h"

namespace xmc {

class ScanCost {
 public:
  void add(u64 states, u64 matches, u64 ns) {
    const double s = static_cast<double>(states);
    const double m = static_cast<double>(matches);
    const double t = static_cast<double>(ns);
    // The relative errors count, or the last detections would count alone.
    const double weight = 1 / (s * s + 1);
    ss_ += weight * s * s;
    sm_ += weight * s * m;
    mm_ += weight * m * m;
    st_ += weight * s * t;
    mt_ += weight * m * t;
  }
  bool known() const { return st_ > 0; }
  double per_state() const {
    const double all = st_ / ss_;
    const double alone = fit(mm_ * st_ - sm_ * mt_);
    // Matches take a part of it, not nearly all: otherwise there was too little to tell.
    return alone > all / 8 && alone < all ? alone : all;
  }
  double per_match() const {
    const double share = fit(ss_ * mt_ - sm_ * st_);
    return per_state() < st_ / ss_ && share > 0 ? share : 0;
  }

 private:
  double fit(double numerator) const {
    const double determinant = ss_ * mm_ - sm_ * sm_;
    return determinant > 1e-6 * ss_ * mm_ ? numerator / determinant : 0;
  }

  double ss_ = 0;
  double sm_ = 0;
  double mm_ = 0;
  double st_ = 0;
  double mt_ = 0;
};

}  // namespace xmc
