// The `hddd` engine: delayed duplicate detection in hash partitions, one detection per level:
// Korf's method for graphs whose predecessors are not known, as BFS-HDDD in Evangelista's paper.
// Each detection reads the whole visited set, so the cost is quadratic in the number of levels: the
// baseline for `dddd`.
#pragma once

#include "engine/delayed/delayed_visited.h"

namespace xmc {

class HdddVisited final : public DelayedVisited {
 public:
  static constexpr LevelTraits kTraits = {.name = "hddd",
                                          .flash = {1, 1, "candidates that overflow the table"}};
  constexpr HdddVisited() = default;

 private:
  bool delay(u64) override { return false; }
  void detected(u64, u64, u64) override {}
};

using HdddEngine = LevelEngine<HdddVisited>;

}  // namespace xmc
