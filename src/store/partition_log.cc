#include "store/partition_log.h"

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
  stripes_ = chain_ = 0;
  dirty_ = false;
}

Status PartitionLog::reopen(Device* device, const char* name, Purpose purpose, const Shape& shape,
                            std::span<u8> buffer, u64 bytes, u64 chain) {
  XMC_TRY(device->truncate(bytes));
  start(device, name, purpose, shape, buffer);
  stripes_ = bytes / shape.stripe_bytes();
  chain_ = chain;
  for (u32 p = 0; p < shape.partitions && stripes_ > 0; ++p) {
    // The buffers are still empty: the last block of each partition goes through the first one.
    KeyBlockHeader header;
    XMC_TRY(read_block(p, stripes_ - 1, buffer_.first(shape.block_bytes), header));
    keys_[p] = header.first_key + header.keys;
  }
  return {};
}

Status PartitionLog::append(u32 partition, const Word* key, u64 level) {
  XMC_DASSERT(partition < shape_.partitions);
  while (!writers_[partition].append(key, keys_[partition], level)) XMC_TRY(write_stripe());
  ++keys_[partition];
  dirty_ = true;
  return {};
}

Status PartitionLog::write_stripe() {
  u64 chain = chain_;
  for (u32 p = 0; p < shape_.partitions; ++p) {
    // A partition without keys in this stripe still knows its number.
    if (writers_[p].empty()) writers_[p].note_number(keys_[p]);
    u64 checksum = 0;
    static_cast<void>(writers_[p].seal(false, checksum));
    chain = extend_chain(chain, checksum);
  }
  XMC_TRY(device_->append(buffer_, purpose_));
  chain_ = chain;
  ++stripes_;
  for (u32 p = 0; p < shape_.partitions; ++p) writers_[p].reset();
  dirty_ = false;
  return {};
}

Status PartitionLog::flush() {
  if (dirty_) XMC_TRY(write_stripe());
  return device_->sync();
}

Status PartitionLog::clear() {
  XMC_TRY(device_->truncate(0));
  start(device_, name_, purpose_, shape_, buffer_);
  return {};
}

u64 PartitionLog::keys() const {
  u64 sum = 0;
  for (u32 p = 0; p < shape_.partitions; ++p) sum += keys_[p];
  return sum;
}

Status PartitionLog::read_block(u32 partition, u64 stripe, std::span<u8> into,
                                KeyBlockHeader& header) {
  if (stripe == stripes_) {
    header = writers_[partition].header();
    copy(into, writers_[partition].contents());
    return {};
  }
  const u64 block = stripe * shape_.partitions + partition;
  const ReadRequest request{block * shape_.block_bytes, into.first(shape_.block_bytes)};
  XMC_TRY(device_->read({&request, 1}, purpose_));
  const bool sound = open_key_block(request.into, shape_.key_words, header, nullptr);
  return sound ? Status() : damaged_block(name_, block);
}

void PartitionReader::start(PartitionLog& log, std::span<u8> buffer) {
  log_ = &log;
  buffer_ = buffer;
  loaded_ = false;
  stripe_ = end_ = 0;
}

void PartitionReader::seek(u32 first, u32 last, u64 stripe) {
  first_ = partition_ = first;
  last_ = last;
  stripe_ = stripe;
  end_ = log_->stripes() + 1;
  loaded_ = false;
}

Result<bool> PartitionReader::next(Word* key) {
  while (!loaded_ || !keys_.next(key)) {
    if (loaded_ && ++partition_ == last_) {
      partition_ = first_;
      ++stripe_;
    }
    loaded_ = false;
    if (stripe_ >= end_) return false;
    KeyBlockHeader header;
    XMC_TRY(log_->read_block(partition_, stripe_, buffer_, header));
    keys_.start(buffer_, log_->shape().key_words, header);
    loaded_ = true;
  }
  return true;
}

}  // namespace xmc
