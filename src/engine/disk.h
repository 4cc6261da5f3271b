// The `disk` engine: Della Penna, Intrigila, Melatti, Tronci and Venturini Zilli's DBF
// ("Integrating RAM and Disk Based Verification within the Murphi Verifier", 2003).
//
//   M       table of recent states                      Q_ck    the level being expanded
//   D       file of all states                          Q_unck  candidates for the next level
//
// D and Q_ck are one file here, the queue, whose last level is Q_ck; and states are stored whole,
// not as signatures. Unlike `mono`, a full table is no reason to read D: its candidates overflow to
// the file Q_unck, which is filtered against D at the end of the level, a table full at a time.
//
// I/O: each state is written once, each candidate that overflows once more and read once; the queue
// is read once per level and table full of candidates.
#pragma once

#include "engine/recent_search.h"

namespace xmc {

class DiskSearch : public RecentSearch {
 public:
  FlashUse flash_use() const override { return {1, 0, "candidates that overflow the table"}; }

 protected:
  constexpr DiskSearch() = default;
  ~DiskSearch() = default;

  u64 own_bytes(const Model& model) const override;
  void plan_own(Arena& arena) override;
  Status begin_store() override;
  Status restore_store(const Manifest& manifest) override;
  Status make_room(StopReason& stop) override;
  Status settle(bool level_end, StopReason& stop) override;
  // Free while Q_unck is not in use.
  std::span<u8> unchecked_buffer() const { return unchecked_buffer_; }

 private:
  Status filter_unchecked(StopReason& stop);

  KeyFile unchecked_;  // Q_unck
  std::span<u8> unchecked_buffer_;
  std::span<u8> unchecked_read_buffer_;
};

class DiskEngine final : public DiskSearch {
 public:
  constexpr DiskEngine() = default;
  const char* name() const override { return "disk"; }
};

}  // namespace xmc
