// The engines `diagram` and `auto`: a level search with a diagram as its visited set.
#pragma once

#include "engine/diagram/diagram_visited.h"
#include "engine/levels/level_search.h"
#include "engine/search/file_names.h"

namespace xmc {

inline constexpr EngineFile kDiagramFiles[] = {
    {kQueueFile}, {kPathFile, true}, {kEdgeFile}, {kFarEdgeFile}};
inline constexpr EngineTraits kDiagramTraits = {
    .name = "diagram",
    .summary = "the states as a decision diagram in memory, the queue in a file",
    .checks_liveness = true,
    .flash = {1, 0, ""},
    .files = kDiagramFiles};

inline constexpr EngineFile kAutoFiles[] = {
    {kQueueFile}, {kCandidatesFile, true}, {kRunsFile, true}, {kPathFile, true}};
inline constexpr EngineTraits kAutoTraits = {
    .name = "auto",
    .summary = "a table, then a decision diagram, then sorted runs on flash",
    .flash = {1, 0, "sorted runs, about as much again, once the diagram does not fit"},
    .files = kAutoFiles};

class DiagramEngine final : public LevelSearch {
 public:
  constexpr explicit DiagramEngine(bool spills = false)
      : LevelSearch(set_), spills_(spills), set_(spills) {}

  const EngineTraits& traits() const override { return spills_ ? kAutoTraits : kDiagramTraits; }
  DiagramVisited& set() { return set_; }
  const DiagramVisited& set() const { return set_; }

 private:
  bool spills_;
  DiagramVisited set_;
};

}  // namespace xmc
