#include "store/partitions/stripe_rows.h"

#include <algorithm>
#include <utility>

#include "xmc/bytes.h"
#include "xmc/check.h"

namespace xmc {

void StripeRows::start(Device* device, Purpose purpose, u64 stripe_bytes, std::span<u8> buffer,
                       const GoOn& go_on) {
  XMC_CHECK(ahead_ == 0);
  device_ = device;
  go_on_ = go_on;
  purpose_ = purpose;
  stripe_bytes_ = stripe_bytes;
  buffer_ = buffer;
  seek(0, 0, 0, 0);
}

void StripeRows::seek(u64 offset, std::size_t row_bytes, u64 first, u64 end) {
  XMC_CHECK(ahead_ == 0);
  XMC_CHECK(row_bytes <= buffer_.size());
  offset_ = offset;
  row_bytes_ = row_bytes;
  first_ = last_ = first;
  end_ = end;
  const auto half = static_cast<std::size_t>(round_down(buffer_.size() / 2, kPageBytes));
  const bool two = row_bytes <= half;
  held_ = two ? buffer_.first(half) : buffer_;
  other_ = two ? buffer_.subspan(half) : std::span<u8>();
}

u64 StripeRows::rows_at(u64 stripe, std::size_t room) const {
  if (stripe >= end_) return 0;
  const u64 fit = std::min<u64>(room / row_bytes_, end_ - stripe);
  return row_bytes_ == stripe_bytes_ ? fit : std::min<u64>(fit, kMostRows);
}

// Whole stripes follow each other: they are one request.
std::span<const ReadRequest> StripeRows::ask_for(u64 stripe, u64 count, std::span<u8> into) {
  const u64 at = stripe * stripe_bytes_ + offset_;
  if (row_bytes_ == stripe_bytes_) {
    requests_[0] = {at, into.first(static_cast<std::size_t>(count) * row_bytes_)};
    return {requests_, 1};
  }
  for (u32 i = 0; i < count; ++i) {
    requests_[i] = {at + i * stripe_bytes_, into.subspan(i * row_bytes_, row_bytes_)};
  }
  return {requests_, static_cast<std::size_t>(count)};
}

Status StripeRows::ask() {
  unasked_ += (last_ - first_) * row_bytes_;
  if (unasked_ < kAskBytes) return {};
  unasked_ = 0;
  return go_on_(first_, end_);
}

Status StripeRows::advance() {
  XMC_TRY(ask());
  first_ = last_;
  if (ahead_ > 0) {
    const u64 count = std::exchange(ahead_, 0u);
    XMC_TRY(device_->finish_read());
    std::swap(held_, other_);
    last_ += count;
  } else {
    const u64 count = rows_at(first_, held_.size());
    if (count == 0) return {};
    XMC_TRY(device_->read(ask_for(first_, count, held_), purpose_));
    last_ += count;
  }
  const u64 count = other_.empty() ? 0 : rows_at(last_, other_.size());
  if (count == 0) return {};
  XMC_TRY(device_->begin_reads(ask_for(last_, count, other_), purpose_));
  ahead_ = count;
  return {};
}

std::span<u8> StripeRows::add_row() {
  XMC_CHECK(ahead_ == 0);
  first_ = last_++;
  return held_.first(row_bytes_);
}

Status StripeRows::finish() {
  return std::exchange(ahead_, 0u) == 0 ? Status() : device_->finish_read();
}

}  // namespace xmc
