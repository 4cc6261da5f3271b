#include "store/chain_log.h"

#include <algorithm>

#include "xmc/bytes.h"
#include "xmc/check.h"

namespace xmc {

void ChainLog::start(Device* device, const char* name, Purpose purpose, const Shape& shape,
                     std::span<u8> buffer) {
  XMC_CHECK(shape.partitions >= 1 && shape.partitions <= kMostPartitions);
  XMC_CHECK(shape.gather_blocks >= 1 && buffer.size() >= shape.buffer_bytes());
  device_ = device;
  name_ = name;
  purpose_ = purpose;
  shape_ = shape;
  buffer_ = buffer.first(static_cast<std::size_t>(shape.buffer_bytes()));
  for (u32 p = 0; p < shape.partitions; ++p) {
    const u32 at = shape.gather_blocks + p;
    writers_[p].start(buffer_.subspan(std::size_t{at} * shape.block_bytes, shape.block_bytes),
                      shape.key_words);
  }
  std::fill_n(heads_, kMostPartitions, u64{0});
  std::fill_n(keys_, kMostPartitions, u64{0});
  blocks_ = chain_ = gathered_chain_ = 0;
  gathered_ = 0;
}

Status ChainLog::reopen(Device* device, const char* name, Purpose purpose, const Shape& shape,
                        std::span<u8> buffer, std::span<u8> read_buffer, u64 bytes, u64 chain,
                        std::span<const u64> heads) {
  XMC_TRY(device->truncate(bytes));
  start(device, name, purpose, shape, buffer);
  blocks_ = bytes / shape.block_bytes;
  chain_ = gathered_chain_ = chain;
  for (u32 p = 0; p < shape.partitions; ++p) {
    heads_[p] = heads[p];
    if (heads_[p] == 0) continue;
    KeyBlockHeader header;
    XMC_TRY(read_block(heads_[p] - 1, read_buffer, header));
    keys_[p] = header.first_key + header.keys;
  }
  return {};
}

u64 ChainLog::keys() const {
  u64 sum = 0;
  for (u32 p = 0; p < shape_.partitions; ++p) sum += keys_[p];
  return sum;
}

Status ChainLog::append(u32 partition, const Word* key) {
  XMC_DASSERT(partition < shape_.partitions);
  while (!writers_[partition].append(key, keys_[partition], heads_[partition])) {
    XMC_TRY(gather(partition));
  }
  ++keys_[partition];
  return {};
}

Status ChainLog::gather(u32 partition) {
  u64 checksum = 0;
  const std::span<const u8> block = writers_[partition].seal(false, checksum);
  copy(buffer_.subspan(std::size_t{gathered_} * shape_.block_bytes), block);
  gathered_chain_ = extend_chain(gathered_chain_, checksum);
  heads_[partition] = blocks_ + gathered_ + 1;
  writers_[partition].reset();
  return ++gathered_ == shape_.gather_blocks ? write_gathered() : Status();
}

Status ChainLog::write_gathered() {
  if (gathered_ == 0) return {};
  XMC_TRY(device_->append(buffer_.first(std::size_t{gathered_} * shape_.block_bytes), purpose_));
  blocks_ += gathered_;
  gathered_ = 0;
  chain_ = gathered_chain_;
  return {};
}

Status ChainLog::close_block(u32 partition) {
  return writers_[partition].empty() ? Status() : gather(partition);
}

Status ChainLog::flush() {
  for (u32 p = 0; p < shape_.partitions; ++p) XMC_TRY(close_block(p));
  XMC_TRY(write_gathered());
  return device_->sync();
}

Status ChainLog::clear_if_empty() {
  if (keys() != 0 || blocks_ == 0) return {};
  XMC_TRY(device_->truncate(0));
  start(device_, name_, purpose_, shape_, buffer_);
  return {};
}

Status ChainLog::detach(u32 partition, Chain& out) {
  XMC_TRY(close_block(partition));
  out = chain_of(partition);
  heads_[partition] = keys_[partition] = 0;
  return {};
}

Status ChainLog::read_block(u64 number, std::span<u8> into, KeyBlockHeader& header) {
  const std::span<u8> block = into.first(shape_.block_bytes);
  if (number >= blocks_) {
    const u64 at = (number - blocks_) * shape_.block_bytes;
    copy(block,
         std::span<const u8>(buffer_.subspan(static_cast<std::size_t>(at), shape_.block_bytes)));
  } else {
    const ReadRequest request{number * shape_.block_bytes, block};
    XMC_TRY(device_->read({&request, 1}, purpose_));
  }
  const bool sound = open_key_block(block, shape_.key_words, header, nullptr);
  return sound ? Status() : damaged_block(name_, number);
}

void ChainReader::start(ChainLog& log, std::span<u8> buffer, const ChainLog::Chain& chain) {
  log_ = &log;
  buffer_ = buffer;
  next_block_ = chain.head;
  loaded_ = false;
}

Result<bool> ChainReader::next(Word* key) {
  while (!loaded_ || !keys_.next(key)) {
    if (next_block_ == 0) return false;
    KeyBlockHeader header;
    XMC_TRY(log_->read_block(next_block_ - 1, buffer_, header));
    keys_.start(buffer_, log_->shape().key_words, header);
    next_block_ = header.first_level;
    loaded_ = true;
  }
  return true;
}

}  // namespace xmc
