#include "store/chain_log.h"

#include <algorithm>

#include "xmc/bytes.h"
#include "xmc/check.h"

namespace xmc {

void ChainLog::start(Device* device, const char* name, Purpose purpose, const Shape& shape,
                     std::span<u8> buffer) {
  XMC_CHECK(shape.partitions >= 1 && shape.partitions <= kMostPartitions);
  XMC_CHECK(shape.open >= 1 && shape.open <= kMostOpen);
  XMC_CHECK(shape.gather_blocks >= 1 && buffer.size() >= shape.buffer_bytes());
  device_ = device;
  name_ = name;
  purpose_ = purpose;
  shape_ = shape;
  buffer_ = buffer.first(static_cast<std::size_t>(shape.buffer_bytes()));
  for (u32 w = 0; w < shape.open; ++w) {
    const u32 at = shape.gather_blocks + w;
    writers_[w].start(buffer_.subspan(std::size_t{at} * shape.block_bytes, shape.block_bytes),
                      shape.key_words);
  }
  std::fill_n(partition_of_, kMostOpen, kNobody);
  std::fill_n(writer_of_, kMostPartitions, kClosed);
  std::fill_n(heads_, kMostPartitions, u64{0});
  std::fill_n(keys_, kMostPartitions, u64{0});
  blocks_ = chain_ = gathered_chain_ = wasted_bytes_ = 0;
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

Status ChainLog::open(u32 partition) {
  XMC_CHECK(partition < shape_.partitions && !is_open(partition));
  u32 writer = 0;
  for (u32 w = 0; w < shape_.open; ++w) {
    if (partition_of_[w] == kNobody) {
      writer = w;
      break;
    }
    if (writers_[w].header().used_bytes > writers_[writer].header().used_bytes) writer = w;
  }
  if (partition_of_[writer] != kNobody) {
    wasted_bytes_ += shape_.block_bytes - writers_[writer].header().used_bytes;
    XMC_TRY(close_block(partition_of_[writer]));
  }
  partition_of_[writer] = static_cast<u16>(partition);
  writer_of_[partition] = static_cast<u8>(writer);
  return {};
}

void ChainLog::close(u32 partition) {
  const u32 writer = writer_of_[partition];
  writers_[writer].reset();
  partition_of_[writer] = kNobody;
  writer_of_[partition] = kClosed;
}

Status ChainLog::append(u32 partition, const Word* key) {
  XMC_DASSERT(partition < shape_.partitions);
  if (!is_open(partition)) XMC_TRY(open(partition));
  KeyBlockWriter& writer = writers_[writer_of_[partition]];
  while (!writer.append(key, keys_[partition], heads_[partition])) XMC_TRY(gather(partition));
  ++keys_[partition];
  return {};
}

Status ChainLog::gather(u32 partition) {
  u64 checksum = 0;
  KeyBlockWriter& writer = writers_[writer_of_[partition]];
  const std::span<const u8> block = writer.seal(false, checksum);
  copy(buffer_.subspan(std::size_t{gathered_} * shape_.block_bytes), block);
  gathered_chain_ = extend_chain(gathered_chain_, checksum);
  heads_[partition] = blocks_ + gathered_ + 1;
  writer.reset();
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
  if (!is_open(partition)) return {};
  if (!writers_[writer_of_[partition]].empty()) XMC_TRY(gather(partition));
  close(partition);
  return {};
}

Status ChainLog::flush() {
  for (u32 p = 0; p < shape_.partitions; ++p) XMC_TRY(close_block(p));
  XMC_TRY(write_gathered());
  return device_->sync();
}

Status ChainLog::detach(u32 partition, Chain& out) {
  XMC_TRY(close_block(partition));
  out = chain_of(partition);
  heads_[partition] = keys_[partition] = 0;
  return {};
}

void ChainLog::take(u32 partition, ChainReader& reader, std::span<u8> buffer) {
  XMC_CHECK(buffer.size() >= shape_.block_bytes);
  const Chain chain = chain_of(partition);
  heads_[partition] = keys_[partition] = 0;
  reader.start(*this, buffer, chain);
  if (!is_open(partition)) return;
  const KeyBlockWriter& writer = writers_[writer_of_[partition]];
  if (!writer.empty()) {
    copy(buffer, writer.contents());
    reader.start(*this, buffer, chain, writer.header());
  }
  close(partition);
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

void ChainReader::start(ChainLog& log, std::span<u8> buffer, const ChainLog::Chain& chain,
                        const KeyBlockHeader& header) {
  start(log, buffer, chain);
  keys_.start(buffer, log.shape().key_words, header);
  loaded_ = true;
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
