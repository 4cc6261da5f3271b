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

#include "engine/recent/recent_visited.h"
#include "engine/search/file_names.h"

namespace xmc {

class DiskVisited final : public RecentVisited {
 public:
  static constexpr EngineFile kFiles[] = {
      {kQueueFile}, {kUncheckedFile}, {kPathFile, true}, {kEdgeFile}, {kFarEdgeFile}};
  static constexpr EngineTraits kTraits = {
      .name = "disk",
      .summary = "recent states in memory, all of them in a file",
      .takes_signature = true,
      .checks_liveness = true,
      .flash = {1, 0, "candidates that overflow the table"},
      .files = kFiles};
  constexpr DiskVisited() = default;

  u64 own_bytes(const Model& model, const SearchOptions& options) const override;
  void plan(Arena& arena) override;
  Status begin() override;
  Status settle(bool level_end) override;

 private:
  bool keeps_unchecked(const SearchOptions&) const override { return true; }
  Status make_room() override;
  Status filter_unchecked();

  bool overflowed_ = false;  // the table is not all that was met since the last settle()
  std::span<u8> unchecked_read_buffer_;
};

using DiskEngine = LevelEngine<DiskVisited>;

}  // namespace xmc
