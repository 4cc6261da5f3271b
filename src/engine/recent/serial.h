// The `serial` engine: `cached` first, and `disk` when the cache forgets too much, without losing
// work (Della Penna and others, "Integrating RAM and Disk Based Verification within the Murphi
// Verifier", 2003).
//
// What is handed over is the whole queue file, not the cache: it has every state that was ever met,
// and a state's first occurrence has its true level. (The paper initialises D from the cache alone;
// forgotten states would return as new ones on wrong levels.) The file stays where it is. A pass
// over it finds the repeats, which are few, and takes their counts back: of those that were
// expanded, and ahead of time of those that will be, so states and transitions stay exact. The
// table of `disk` begins with the newest states of the file, as after a resume.
//
// When: as in the paper with --collisions, otherwise when it pays
// (engine/recent/hand_over_policy.h).
#pragma once

#include "engine/recent/cached.h"
#include "engine/recent/disk.h"
#include "engine/recent/hand_over_policy.h"
#include "engine/search/file_names.h"

namespace xmc {

class SerialVisited final : public VisitedSet {
 public:
  static constexpr EngineFile kFiles[] = {
      {kQueueFile}, {kUncheckedFile}, {kPathFile, true}, {kEdgeFile}, {kFarEdgeFile}};
  static constexpr EngineTraits kTraits = {
      .name = "serial",
      .summary = "cached first, then disk",
      .takes_signature = true,
      .checks_liveness = true,
      .flash = {1, 0, "states that are enqueued again, candidates that overflow the table"},
      .files = kFiles};
  constexpr SerialVisited() = default;

  u64 own_bytes(const Model& model, const SearchOptions& options) const override;
  u64 least_region(const Model& model, const SearchOptions& options) const override;
  void plan(Arena& arena) override;
  Status begin() override;
  Status take(u32 count) override;
  Status settle(bool level_end) override;
  Status conclude() override;
  bool concludes() const override { return true; }
  void lines(Lines& io) override;
  Status restore(Lines& io) override;
  // After the hand-over: once the repeats that were taken back ahead of time are expanded.
  bool counts_are_exact() const override {
    return caching_ ? !cache_.forgot() : at().next >= handed_over_.entries;
  }
  u64 states() const override { return queue().keys() - handed_over_.repeats; }

  bool handed_over() const { return !caching_; }

 private:
  Status hand_over();
  Status begin_disk();
  void begin_policy();
  Status measure_costs();
  HandOverPolicy::Now figures() const;
  bool hand_over_is_due() const;

  CachePhase cache_;
  DiskVisited disk_;
  HandOverPolicy policy_;
  bool caching_ = true;
  // When the costs of the policy began to be taken.
  struct {
    u64 ns = 0;
    u64 expansions = 0;
  } begin_;
  // The queue as it was handed over.
  struct {
    u64 entries = 0;
    u64 repeats = 0;  // among them
    u64 levels = 0;   // without them
  } handed_over_;
};

using SerialEngine = LevelEngine<SerialVisited>;

}  // namespace xmc
