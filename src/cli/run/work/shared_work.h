// SharedWork: the work of several processes that share a search, in DIR/rank-0, DIR/rank-1, ...:
// which checkpoint a run goes on from, and which parts of it this process reads.
//
// Any number of processes may go on, one included. A checkpoint counts when all the processes that
// made it have left their part, and every part is sound: a power cut may have come when some had
// committed it and others had not. A part is for the process of the same number, or else for the
// first one that sees it: folders may be on different machines.
#pragma once

#include "platform/files.h"
#include "platform/process_peers.h"
#include "store/checkpoint/root.h"
#include "xmc/limits.h"

namespace xmc {

class SharedWork {
 public:
  // Whether several processes have worked in this directory.
  static bool is_at(const char* place);
  // "DIR/rank-3" into `out`, which has kPathBytes bytes.
  static Status folder_of(const char* place, u32 rank, char* out);

  // Every process of the new run calls it; null: there is one. Reads all parts of this process,
  // changes nothing.
  Status find(const char* place, ProcessPeers* peers);

  // 0: there is no checkpoint, and the run begins again.
  u64 sequence() const { return sequence_; }
  u32 slot() const { return static_cast<u32>(sequence_ % kRootSlots); }
  // Whether the states have to be divided anew.
  bool divides_anew() const { return sequence_ != 0 && made_by_ != count_; }
  bool reads(u32 rank) const { return (mine_ >> rank & 1) != 0; }
  // What tells the blocks of that part from others.
  u64 run_of(u32 rank) const { return seen_[rank].run; }
  // A process that has left what says which run it is, as far as this one sees.
  Result<u32> describer() const;
  // Why a newer checkpoint is not the one; ok if there is none.
  const Status& passed_over() const { return passed_over_; }

 private:
  struct Seen {
    bool there = false;
    bool described = false;  // with model and options
    u64 run = 0;
    u64 sequence[kRootSlots] = {};   // of a sound root, or 0
    u32 processes[kRootSlots] = {};  // that made it
  };

  Status look_at(u32 rank);
  Status gather(u64 mine, u64* all);
  u64 mask_of(u64 sequence, u32 processes) const;
  Status find_newest(u64 below);
  Status check_nothing_lost();
  Status check_all_there();
  Status share_out();
  Status verify(u32 rank);
  Status verify_mine(bool& sound);

  const char* place_ = "";
  ProcessPeers* peers_ = nullptr;
  u32 me_ = 0;
  u32 count_ = 1;
  Seen seen_[limits::kOwners];
  u64 sequence_ = 0;
  u32 made_by_ = 0;
  u64 mine_ = 0;  // a bit for each part
  bool had_one_ = false;
  Status passed_over_;
};

}  // namespace xmc
