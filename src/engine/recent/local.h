// The `local` engine: like `mono`, but a detection reads only the newest blocks of the file, since
// most steps back lead to recent states (Della Penna, Intrigila, Tronci and Venturini Zilli,
// "Exploiting Transition Locality in the Disk Based Murphi Verifier", 2002; LOCAL in Bao and
// Jones).
//
// A state that is older than what was read is taken for new: it is enqueued again and expanded
// again, and so are its successors until a detection reads far enough. How much is read is chosen
// by cost: detections tell how many candidates they found in blocks of which age, and so how many
// would be missed by stopping earlier. With each partial detection since the last full one the
// missed states count more, since they lead to others.
//
// It ends all the same: a detection reads the whole file after kMostPartial partial ones at the
// latest, so no repeat lives longer than that, and an empty next level means that every candidate
// was found in the file.
//
// Counts: repeats are counted and taken back at the end, by passes over the queue.
#pragma once

#include "engine/recent/recent_visited.h"
#include "engine/search/file_names.h"

namespace xmc {

class LocalVisited final : public RecentVisited {
 public:
  static constexpr EngineFile kFiles[] = {
      {kQueueFile}, {kUncheckedFile}, {kPathFile, true}, {kEdgeFile}, {kFarEdgeFile}};
  static constexpr EngineTraits kTraits = {.name = "local",
                                           .summary = "like mono, but reads only part of the file",
                                           .takes_table = true,
                                           .takes_signature = true,
                                           .checks_liveness = true,
                                           .flash = {1, 0, "states that are enqueued again"},
                                           .files = kFiles};
  constexpr LocalVisited() = default;

  Status begin() override;
  Status conclude() override;
  bool concludes() const override { return true; }
  bool counts_are_exact() const override { return partial_ == 0; }
  void lines(Lines& io) override { io.number("local-partial", partial_); }
  Status restore(Lines& io) override;
  u64 partial_detections() const { return partial_; }

 private:
  // Ages: the newest block, the two before it, the four before those, and so on.
  static constexpr u32 kAges = 40;
  static constexpr u32 kLeastPartial = 16;
  static constexpr u32 kMostPartial = 256;

  Status detect() override;
  // How many ages the next detection reads; kAges for all.
  u32 choose_ages(u64 blocks) const;

  double found_[kAges] = {};  // candidates that a detection finds in blocks of this age
  bool known_ = false;
  u64 partial_ = 0;
  u32 since_full_ = 0;
  u32 last_ages_ = 0;  // that a partial detection read
  u32 full_every_ = kLeastPartial;

  // For the costs of a block and of a state.
  u64 began_ns_ = 0;
  u64 scan_ns_ = 0;
  u64 scan_blocks_ = 0;
};

using LocalEngine = LevelEngine<LocalVisited>;

}  // namespace xmc
