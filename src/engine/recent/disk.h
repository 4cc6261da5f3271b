// The `disk` engine: Della Penna, Intrigila, Melatti, Tronci and Venturini Zilli's DBF
// ("Integrating RAM and Disk Based Verification within the Murphi Verifier", 2003).
//
//   M       table of recent states                      Q_ck    the level being expanded
//   D       file of all states                          Q_unck  candidates for the next level
//
// D and Q_ck are one file here, the queue, whose last level is Q_ck; and states are stored whole
// everywhere, or, with --signature, in the files. Unlike `mono`, a full table is no reason to read
// D: its candidates overflow to the file Q_unck, which is filtered against D at the end of the
// level, a table full at a time. With signatures all candidates are in Q_unck, as in the paper.
//
// I/O: each state is written once, each candidate that overflows once more and read once; the queue
// is read once per level and table full of candidates.
#pragma once

#include "engine/recent/recent_search.h"

namespace xmc {

class DiskSearch : public RecentSearch {
 public:
  FlashUse flash_use() const override { return {1, 0, "candidates that overflow the table"}; }

 protected:
  constexpr DiskSearch() = default;
  ~DiskSearch() = default;

  u64 own_bytes(const Model& model, const SearchOptions& options) const override;
  void plan_own(Arena& arena) override;
  Status begin_store() override;
  bool keeps_unchecked(const SearchOptions&) const override { return true; }
  Status make_room(StopReason& stop) override;
  Status settle(bool level_end, StopReason& stop) override;

 private:
  Status filter_unchecked(StopReason& stop);

  bool overflowed_ = false;  // the table is not all that was met since the last settle()
  std::span<u8> unchecked_read_buffer_;
};

class DiskEngine final : public DiskSearch {
 public:
  constexpr DiskEngine() = default;
  const char* name() const override { return "disk"; }
};

}  // namespace xmc
