// The `hddd` engine: delayed duplicate detection in hash partitions, one detection per level:
// Korf's method for graphs whose predecessors are not known, as BFS-HDDD in Evangelista's paper.
// Each detection reads the whole visited set, so the cost is quadratic in the number of levels: the
// baseline for `dddd`.
#pragma once

#include "engine/delayed/delayed_search.h"

namespace xmc {

class HdddEngine final : public DelayedSearch {
 public:
  constexpr HdddEngine() = default;
  const char* name() const override { return "hddd"; }

 private:
  bool delay(u64) override { return false; }
  void detected(u64, u64, u64) override {}
};

}  // namespace xmc
