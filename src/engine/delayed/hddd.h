// The `hddd` engine: delayed duplicate detection in hash partitions, one detection per level:
// Korf's method for graphs whose predecessors are not known, as BFS-HDDD in Evangelista's paper.
// Each detection reads the whole visited set, so the cost is quadratic in the number of levels: the
// baseline for `dddd`.
#pragma once

#include "engine/delayed/delayed_visited.h"
#include "engine/search/file_names.h"

namespace xmc {

class HdddVisited final : public DelayedVisited {
 public:
  static constexpr EngineFile kFiles[] = {
      {kQueueFile},      {kVisitedFile, true}, {kCandidatesFile, true},
      {kPathFile, true}, {kEdgeFile},          {kFarEdgeFile}};
  static constexpr EngineTraits kTraits = {.name = "hddd",
                                           .summary = "delayed duplicate detection by hashed files",
                                           .checks_liveness = true,
                                           .flash = {1, 1, "candidates that overflow the table"},
                                           .files = kFiles};
  constexpr HdddVisited() = default;

 private:
  bool delay(u64) override { return false; }
  void detected(u64, u64, u64) override {}
};

using HdddEngine = LevelEngine<HdddVisited>;

}  // namespace xmc
