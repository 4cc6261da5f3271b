// The `dddd` engine: dynamic delayed duplicate detection (Evangelista 2008): a detection waits
// while it would cost more than the revisits that it spares (engine/delayed/delay_policy.h), at
// costs that are measured: of a state during the run, of a byte that is written by the probe of the
// device;
// --partial K levels are looked at meanwhile.
#pragma once

#include "engine/delayed/delayed_visited.h"
#include "engine/search/file_names.h"

namespace xmc {

class DdddVisited final : public DelayedVisited {
 public:
  static constexpr EngineFile kFiles[] = {
      {kQueueFile},      {kVisitedFile, true}, {kCandidatesFile, true},
      {kPathFile, true}, {kEdgeFile},          {kFarEdgeFile}};
  static constexpr EngineTraits kTraits = {
      .name = "dddd",
      .summary = "delayed duplicate detection, when it pays",
      .wants_probe = true,
      .checks_liveness = true,
      .flash = {1, 1, "states that are enqueued again, candidates that overflow the table"},
      .files = kFiles};
  constexpr DdddVisited() = default;

  Status begin() override;
  Status restore(Lines& io) override;

 private:
  bool delay(u64 candidates) override;
  u32 partial_lengths() const override { return search().options.partial_lengths; }
  void looked_up(u64 hits) override;
  void detected(u64 before_last, u64 last, u64 since) override;

  DelayPolicy policy_;
};

using DdddEngine = LevelEngine<DdddVisited>;

}  // namespace xmc
