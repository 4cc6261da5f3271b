// SpaceLimits: what a run may take of its device. The search asks whenever it polls; a limit that
// is reached ends it with a checkpoint, for which the reserve leaves room.
//
//   --disk-limit    bytes of the work directory
//   --disk-reserve  bytes of the file system that stay free, whoever takes the others
//   --wear-limit    bytes that the run has written, the processes before this one included
//
// A part of the reserve is held from the first write on (platform/held_space.h): when others fill
// the device between two looks at it, or faster than a level ends, the run meets the end of the
// device in the middle of a write, and still has room for its checkpoint.
//
// Without --disk-reserve kReserve stay free, or a quarter of what is free when the run begins, if
// that is less: small runs on small devices are not refused.
#pragma once

#include "cli/options/options.h"
#include "platform/device_base.h"
#include "xmc/engine.h"
#include "xmc/run_control.h"
#include "xmc/types.h"

namespace xmc {

// What stays free where `free_bytes` are, by the options.
u64 disk_reserve_of(const Options& options, u64 free_bytes);

// And what is left to the run, by all three limits.
u64 room_of(const Options& options, u64 free_bytes);

class SpaceLimits {
 public:
  static constexpr u64 kReserve = u64{256} << 20;
  // What a search writes between two polls and for its checkpoint: half of its memory, or this if
  // that is more; at most half of the reserve.
  static constexpr u64 kLeastHeld = u64{16} << 20;

  // `written_before`: by earlier processes of the run. `ram_bytes`: the memory of this one.
  void start(const Options& options, FolderBase& folder, u64 written_before, u64 ram_bytes);
  StopReason check(u64 now_ns);

  // Of the work directory now, and by the run so far; 0 for a run without files.
  u64 used_bytes() const { return folder_ == nullptr ? 0 : folder_->disk_use().now_bytes; }
  u64 written_bytes() const;
  // In bytes, for the report; kNoFigure: there is none.
  u64 disk_limit() const { return disk_limit_; }
  u64 disk_reserve() const { return disk_reserve_; }
  u64 wear_limit() const { return wear_limit_; }

 private:
  bool at_reserve(u64 used, u64 now_ns);

  FolderBase* folder_ = nullptr;  // null: the run has no files
  u64 disk_limit_ = kNoFigure;
  u64 disk_reserve_ = kNoFigure;
  u64 wear_limit_ = kNoFigure;
  u64 written_before_ = 0;
  u64 used_at_start_ = 0;
  // The file system is asked again at this size or at this time.
  u64 next_used_ = 0;
  u64 next_ns_ = 0;
};

}  // namespace xmc
