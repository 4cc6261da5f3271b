// The engines `diagram` and `explicit`: a level search with a diagram as its visited set.
#pragma once

#include <new>

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

inline constexpr EngineFile kExplicitFiles[] = {
    {kQueueFile}, {kCandidatesFile, true}, {kRunsFile, true}, {kPathFile, true}};
inline constexpr EngineTraits kExplicitTraits = {
    .name = "explicit",
    .summary = "a table, then a decision diagram, then sorted runs on flash",
    .flash = {1, 0, "sorted runs, about as much again, once the diagram does not fit"},
    .files = kExplicitFiles};

class DiagramEngine final : public LevelSearch {
 public:
  constexpr explicit DiagramEngine(bool spills = false)
      : LevelSearch(set_, &table_), spills_(spills), set_(spills) {}

  bool can_divide() const override { return true; }
  u64 object_bytes() const override { return sizeof(DiagramEngine); }
  LevelSearch* make_another(void* memory) const override {
    return ::new (memory) DiagramEngine(spills_);
  }
  const EngineTraits& traits() const override { return spills_ ? kExplicitTraits : kDiagramTraits; }
  Status run_alone(const RunControl& control, SearchOutcome& outcome) override {
    set_.forget();
    const Status status = LevelSearch::run_alone(control, outcome);
    const Status closed = set_.close();
    return status.ok() ? closed : status;
  }
  DiagramVisited& set() { return set_; }
  // After plan(): leave the table at this many states even if there is room.
  void hand_over_after(u64 states) { table_.hand_over_after(states); }
  bool left_table() const { return table_.handed_over(); }
  // Between plan() and run(): the memory for states, for others to use and clear again, or to keep
  // a part of; and the buffer of successors.
  std::span<u8> region() const { return frontier_.memory.region; }
  std::span<u8> take_from_region(u64 bytes);
  Word* buffer() { return frontier_.search.buffer; }
  const DiagramVisited& set() const { return set_; }

 private:
  bool spills_;
  TablePhase table_;
  DiagramVisited set_;
};

inline std::span<u8> DiagramEngine::take_from_region(u64 bytes) {
  std::span<u8>& region = frontier_.memory.region;
  const std::size_t taken = static_cast<std::size_t>(bytes);
  const std::span<u8> part = region.last(taken);
  region = region.first(region.size() - taken);
  return part;
}

}  // namespace xmc
