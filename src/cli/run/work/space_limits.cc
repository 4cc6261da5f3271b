#include "cli/run/work/space_limits.h"

#include <algorithm>

namespace xmc {

namespace {

// Others may fill the device, too.
constexpr u64 kLookAgainNs = 1'000'000'000;

u64 limit_of(const Options& options, Opt option) {
  return options.given(option) ? options.number(option) : kNoFigure;
}

}  // namespace

u64 disk_reserve_of(const Options& options, u64 free_bytes) {
  if (options.given(Opt::disk_reserve)) return options.number(Opt::disk_reserve);
  return std::min(SpaceLimits::kReserve, free_bytes / 4);
}

u64 room_of(const Options& options, u64 free_bytes) {
  const u64 reserve = std::min(free_bytes, disk_reserve_of(options, free_bytes));
  return std::min({free_bytes - reserve, limit_of(options, Opt::disk_limit),
                   limit_of(options, Opt::wear_limit)});
}

void SpaceLimits::start(const Options& options, FolderBase& folder, u64 written_before,
                        u64 ram_bytes) {
  folder_ = &folder;
  disk_limit_ = limit_of(options, Opt::disk_limit);
  wear_limit_ = limit_of(options, Opt::wear_limit);
  written_before_ = written_before;
  used_at_start_ = folder.disk_use().now_bytes;
  next_used_ = next_ns_ = 0;
  // A file system that does not say what is free has no reserve.
  const Result<u64> free = folder.free_bytes();
  disk_reserve_ = free.ok() ? disk_reserve_of(options, free.value()) : kNoFigure;
  if (!free.ok()) return;
  folder.hold_space(std::min(std::max(kLeastHeld, ram_bytes / 2), disk_reserve_ / 2));
}

StopReason SpaceLimits::check(u64 now_ns) {
  if (folder_ == nullptr) return StopReason::none;
  const u64 used = used_bytes();
  if (folder_->ran_full()) return StopReason::disk_reserve;
  if (used >= disk_limit_) return StopReason::disk_limit;
  if (wear_limit_ != kNoFigure && written_bytes() >= wear_limit_) return StopReason::wear_limit;
  return at_reserve(used, now_ns) ? StopReason::disk_reserve : StopReason::none;
}

u64 SpaceLimits::written_bytes() const {
  return folder_ == nullptr ? 0 : written_before_ + folder_->counters().total().bytes_written;
}

// A run that writes nothing may go on whatever is free. Between two looks at the file system this
// one takes at most half of what is left.
bool SpaceLimits::at_reserve(u64 used, u64 now_ns) {
  if (disk_reserve_ == kNoFigure || used <= used_at_start_) return false;
  if (used < next_used_ && now_ns < next_ns_) return false;
  const Result<u64> unused = folder_->free_bytes();
  if (!unused.ok()) return false;
  // What is held is a part of the reserve.
  const u64 free = unused.value() + folder_->held_bytes();
  if (free <= disk_reserve_) return true;
  next_used_ = used + (free - disk_reserve_) / 2;
  next_ns_ = now_ns + kLookAgainNs;
  return false;
}

}  // namespace xmc
