#include "store/partitions/partition_log.h"

#include <algorithm>

#include "store/files/passing_file.h"
#include "xmc/bytes.h"
#include "xmc/check.h"

namespace xmc {

void PartitionLog::start(Device* device, const char* name, Purpose purpose, const Shape& shape,
                         std::span<u8> buffer) {
  XMC_CHECK(shape.partitions >= 1 && shape.partitions <= kMostPartitions);
  XMC_CHECK(buffer.size() >= shape.stripe_bytes());
  device_ = device;
  name_ = name;
  purpose_ = purpose;
  shape_ = shape;
  buffer_ = buffer.first(static_cast<std::size_t>(shape.stripe_bytes()));
  for (u32 p = 0; p < shape.partitions; ++p) {
    writers_[p].start(buffer_.subspan(std::size_t{p} * shape.block_bytes, shape.block_bytes),
                      shape.key_words);
    keys_[p] = 0;
  }
  first_stripe_ = stripes_ = device->size_bytes() / shape.stripe_bytes();
}

Status PartitionLog::append(u32 partition, const Word* key, u64 level) {
  XMC_DASSERT(partition < shape_.partitions);
  while (!writers_[partition].append(key, keys_[partition], level)) XMC_TRY(write_stripe());
  ++keys_[partition];
  return {};
}

Status PartitionLog::write_stripe() {
  for (u32 p = 0; p < shape_.partitions; ++p) {
    // A partition without keys in this stripe still knows its number.
    if (writers_[p].empty()) writers_[p].note_number(keys_[p]);
    u64 checksum = 0;
    static_cast<void>(writers_[p].seal(false, place_of(p, stripes_), checksum));
  }
  XMC_TRY(device_->append(buffer_, purpose_));
  ++stripes_;
  for (u32 p = 0; p < shape_.partitions; ++p) writers_[p].reset();
  return {};
}

Status PartitionLog::clear() {
  XMC_TRY(forget_contents(*device_));
  start(device_, name_, purpose_, shape_, buffer_);
  return {};
}

u64 PartitionLog::keys() const {
  u64 sum = 0;
  for (u32 p = 0; p < shape_.partitions; ++p) sum += keys_[p];
  return sum;
}

void PartitionLog::copy_blocks(u32 first, std::span<u8> into) {
  const std::size_t bytes = shape_.block_bytes;
  for (std::size_t at = 0; at < into.size(); at += bytes, ++first) {
    copy(into.subspan(at, bytes), writers_[first].contents());
  }
}

Status PartitionLog::open_block(u32 partition, u64 stripe, std::span<const u8> block,
                                KeyBlockHeader& header) {
  if (stripe == stripes_) {
    header = writers_[partition].header();
    return {};
  }
  const BlockPlace place = place_of(partition, stripe);
  const bool sound = open_key_block(block, shape_.key_words, place, header, nullptr);
  return sound ? Status() : damaged_block(name_, stripe * shape_.partitions + partition);
}

void PartitionReader::start(PartitionLog& log, std::span<u8> buffer, const GoOn& go_on) {
  log_ = &log;
  rows_.start(log.device(), log.purpose(), log.shape().stripe_bytes(), buffer, go_on);
  first_ = last_ = partition_ = turn_ = 0;
  left_ = stripe_ = end_ = 0;
}

void PartitionReader::seek(u32 first, u32 last) {
  XMC_CHECK(last - first <= kMostPartitions);
  const u32 block_bytes = log_->shape().block_bytes;
  rows_.seek(u64{first} * block_bytes, std::size_t{last - first} * block_bytes,
             log_->first_stripe(), log_->stripes());
  first_ = partition_ = first;
  last_ = last;
  stripe_ = log_->first_stripe();
  end_ = log_->stripes() + 1;
  left_ = turn_ = 0;
}

Status PartitionReader::load_stripe() {
  if (stripe_ == rows_.last()) {
    if (stripe_ < rows_.end()) {
      XMC_TRY(rows_.advance());
    } else {
      XMC_CHECK(stripe_ == log_->stripes());
      log_->copy_blocks(first_, rows_.add_row());
    }
  }
  const std::size_t block_bytes = log_->shape().block_bytes;
  for (u32 p = first_; p < last_; ++p) {
    const std::span<const u8> block =
        rows_.row(stripe_).subspan((p - first_) * block_bytes, block_bytes);
    KeyBlockHeader header;
    XMC_TRY(log_->open_block(p, stripe_, block, header));
    readers_[p - first_].start(block, log_->shape().key_words, header);
    left_ += header.keys;
  }
  partition_ = first_;
  turn_ = kTurnKeys;
  ++stripe_;
  return {};
}

Result<bool> PartitionReader::next(Word* key) {
  while (left_ == 0) {
    if (stripe_ >= end_) return false;
    XMC_TRY(load_stripe());
  }
  while (turn_ == 0 || !readers_[partition_ - first_].next(key)) {
    if (++partition_ == last_) partition_ = first_;
    turn_ = kTurnKeys;
  }
  --turn_;
  --left_;
  return true;
}

}  // namespace xmc
