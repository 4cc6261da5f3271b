// StripeRows: the same part of every stripe of a file, read stripe after stripe: as many rows at a
// time as half of a buffer holds, in one batch, and the next ones while these are looked at. What
// partitions in stripes have in common (store/partitions/hashed_log.h,
// store/partitions/partition_log.h).
#pragma once

#include <span>

#include "xmc/device.h"
#include "xmc/go_on.h"
#include "xmc/status.h"
#include "xmc/types.h"

namespace xmc {

class StripeRows {
 public:
  // `buffer` is aligned for the device, and holds a row of whatever will be asked for. advance()
  // asks now and then whether to go on.
  void start(Device* device, Purpose purpose, u64 stripe_bytes, std::span<u8> buffer,
             const GoOn& go_on);
  // Bytes offset to offset + row_bytes of stripes first to end - 1.
  void seek(u64 offset, std::size_t row_bytes, u64 first, u64 end);
  // Goes on to the next rows. Behind the last one nothing is held.
  Status advance();
  // A row that is not on the device comes next: its memory, to be filled by the caller.
  std::span<u8> add_row();
  // The buffer belongs to nobody else before this or the last row.
  Status finish();

  // The stripes whose rows are held.
  u64 first() const { return first_; }
  u64 last() const { return last_; }  // behind them
  u64 end() const { return end_; }    // of all
  std::span<u8> row(u64 stripe) const {
    return held_.subspan(static_cast<std::size_t>(stripe - first_) * row_bytes_, row_bytes_);
  }

 private:
  static constexpr u32 kMostRows = 32;            // of a batch: what a queue of the device takes
  static constexpr u64 kAskBytes = u64{2} << 20;  // read between questions: 0.1 s at 20 MB/s

  Status ask();
  u64 rows_at(u64 stripe, std::size_t room) const;
  std::span<const ReadRequest> ask_for(u64 stripe, u64 count, std::span<u8> into);

  Device* device_ = nullptr;
  GoOn go_on_;
  Purpose purpose_ = Purpose::other;
  u64 stripe_bytes_ = 0;
  std::span<u8> buffer_;
  std::span<u8> held_;   // what is looked at, and
  std::span<u8> other_;  // what is on its way, if a half holds a row
  u64 offset_ = 0;
  std::size_t row_bytes_ = 0;
  u64 first_ = 0;
  u64 last_ = 0;
  u64 end_ = 0;
  u64 ahead_ = 0;    // stripes behind last_ that are on their way
  u64 unasked_ = 0;  // bytes since the last question, before start() too
  ReadRequest requests_[kMostRows];
};

}  // namespace xmc
