// Wall time of some work of a search, by the clock of its options.
#pragma once

#include "engine/search/search.h"

namespace xmc {

class Stopwatch {
 public:
  explicit Stopwatch(const Search& search)
      : now_ns_(search.options.now_ns), begin_ns_(now_ns_ == nullptr ? 0 : now_ns_()) {}

  // A figure in microseconds, which there may not be yet. Without a clock it stays as it is.
  void add_to(u64& us) const {
    if (now_ns_ == nullptr) return;
    us = (us == kNoFigure ? 0 : us) + (now_ns_() - begin_ns_) / 1000;
  }

 private:
  u64 (*now_ns_)();
  u64 begin_ns_;
};

}  // namespace xmc
