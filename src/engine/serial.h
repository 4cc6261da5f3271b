// The `serial` engine: `cached` first, and `disk` when the cache forgets too much, without losing
// work (Della Penna and others, "Integrating RAM and Disk Based Verification within the Murphi
// Verifier", 2003).
//
// What is handed over is the whole queue file, not the cache: it has every state that was ever met,
// and a state's first occurrence has its true level. (The paper initialises D from the cache alone;
// forgotten states would return as new ones on wrong levels.) Repeats are left out on the way, and
// the counts of those that were expanded are taken back, so transitions stay exact. The new queue
// is taken up through the same lines that a checkpoint has, and the table of `disk` begins with its
// newest states.
#pragma once

#include "engine/cached.h"
#include "engine/disk.h"

namespace xmc {

class SerialEngine final : public DiskSearch {
 public:
  constexpr SerialEngine() = default;
  const char* name() const override { return "serial"; }
  FlashUse flash_use() const override {
    return {1, 0, "a second queue during the hand-over, candidates that overflow the table"};
  }
  bool handed_over() const { return !caching_; }

 private:
  Status begin_store() override;
  Status restore_store(const Manifest& manifest) override;
  Status save_store(Manifest& manifest) override;
  Status take(u32 count, StopReason& stop) override;
  Status settle(bool level_end, StopReason& stop) override;
  Status conclude() override;
  bool counts_are_exact() const override { return !caching_ || !cache_.forgot(); }

  Status hand_over();

  CachePhase cache_;
  bool caching_ = true;
};

}  // namespace xmc
