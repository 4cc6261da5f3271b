// The `local` engine: like `mono`, but a detection reads only the newest blocks of the file, since
// most steps back lead to recent states (Della Penna, Intrigila, Tronci and Venturini Zilli,
// "Exploiting Transition Locality in the Disk Based Murphi Verifier", 2002; LOCAL in Bao and
// Jones).
//
// A state that is older than what was read is taken for new: it is enqueued again and expanded
// again. It ends all the same: every kFullEvery-th detection reads the whole file, so no repeat
// lives longer than that, and an empty next level means that every candidate was found in the file.
// How much is read adapts: a full detection tells which share of the old states the newest blocks
// would have shown.
//
// Counts: repeats are counted and taken back at the end, by passes over the queue.
#pragma once

#include "engine/recent_search.h"

namespace xmc {

class LocalEngine final : public RecentSearch {
 public:
  constexpr LocalEngine() = default;
  const char* name() const override { return "local"; }
  bool takes_table() const override { return true; }
  FlashUse flash_use() const override { return {1, 0, "states that are enqueued again"}; }
  u64 partial_detections() const { return partial_; }

 private:
  static constexpr u32 kFullEvery = 16;

  Status begin_store() override;
  Status detect() override;
  Status conclude() override;
  bool counts_are_exact() const override { return partial_ == 0; }
  Status save_store(Manifest& manifest) override;
  Status restore_store(const Manifest& manifest) override;

  u64 window_ = 0;  // blocks that a partial detection reads
  u64 partial_ = 0;
  u32 since_full_ = 0;
};

}  // namespace xmc
