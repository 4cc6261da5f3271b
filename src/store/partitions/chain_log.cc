#include "store/partitions/chain_log.h"

#include <algorithm>
#include <new>
#include <utility>

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
  const std::size_t gather_bytes = std::size_t{shape.gather_blocks} * shape.block_bytes;
  gathering_ = buffer.first(gather_bytes);
  writing_ = {};
  if (shape.behind) writing_ = buffer.subspan(gather_bytes, gather_bytes);
  u8* const behind = buffer.data() + static_cast<std::size_t>(shape.block_buffer_bytes());
  writers_ = reinterpret_cast<KeyBlockWriter*>(behind);
  for (u32 w = 0; w < shape.open; ++w) {
    const u32 at = shape.all_gathered() + w;
    ::new (static_cast<void*>(writers_ + w)) KeyBlockWriter;
    writers_[w].start(buffer.subspan(std::size_t{at} * shape.block_bytes, shape.block_bytes),
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
  const u64 number = blocks_ + gathered_;
  const BlockPlace place = device_->place(number * shape_.block_bytes);
  const std::span<const u8> block = writer.seal(false, place, checksum);
  copy(gathering_.subspan(std::size_t{gathered_} * shape_.block_bytes), block);
  gathered_chain_ = extend_chain(gathered_chain_, checksum);
  heads_[partition] = number + 1;
  writer.reset();
  return ++gathered_ == shape_.gather_blocks ? write_gathered() : Status();
}

Status ChainLog::write_gathered() {
  if (gathered_ == 0) return {};
  const std::span<const u8> blocks = gathering_.first(std::size_t{gathered_} * shape_.block_bytes);
  if (writing_.empty()) {
    XMC_TRY(device_->append(blocks, purpose_));
  } else {
    // What was written before is done when this begins.
    XMC_TRY(device_->begin_append(blocks, purpose_));
    std::swap(gathering_, writing_);
  }
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

Status ChainLog::take(u32 partition, ChainReader& reader, std::span<u8> buffer) {
  const Chain chain = chain_of(partition);
  heads_[partition] = keys_[partition] = 0;
  XMC_TRY(reader.start(*this, buffer, chain));
  if (!is_open(partition)) return {};
  const KeyBlockWriter& writer = writers_[writer_of_[partition]];
  if (!writer.empty()) reader.give(writer.contents(), writer.header());
  close(partition);
  return {};
}

void ChainLog::copy_gathered(u64 number, std::span<u8> into) const {
  const u64 at = (number - blocks_) * shape_.block_bytes;
  copy(into,
       std::span<const u8>(gathering_.subspan(static_cast<std::size_t>(at), shape_.block_bytes)));
}

Status ChainLog::check(u64 number, std::span<const u8> block, KeyBlockHeader& header) const {
  const BlockPlace place = device_->place(number * shape_.block_bytes);
  const bool sound =
      open_key_block(block.first(shape_.block_bytes), shape_.key_words, place, header, nullptr);
  return sound ? Status() : damaged_block(name_, number);
}

Status ChainLog::read_block(u64 number, std::span<u8> into, KeyBlockHeader& header) {
  if (number >= blocks_) {
    copy_gathered(number, into);
  } else {
    const ReadRequest request{number * shape_.block_bytes, into.first(shape_.block_bytes)};
    XMC_TRY(device_->read({&request, 1}, purpose_));
  }
  return check(number, into, header);
}

Status ChainLog::begin_block(u64 number, std::span<u8> into) {
  if (number >= blocks_) {
    copy_gathered(number, into);
    return {};
  }
  return device_->begin_read({number * shape_.block_bytes, into.first(shape_.block_bytes)},
                             purpose_);
}

Status ChainLog::finish_block(u64 number, std::span<u8> into, KeyBlockHeader& header) {
  XMC_TRY(device_->finish_read());
  return check(number, into, header);
}

Status ChainReader::start(ChainLog& log, std::span<u8> buffer, const ChainLog::Chain& chain) {
  const u32 block_bytes = log.shape().block_bytes;
  XMC_CHECK(buffer.size() >= block_bytes);
  XMC_TRY(log.settle());
  log_ = &log;
  buffer_ = buffer.first(block_bytes);
  other_ = {};
  if (buffer.size() >= std::size_t{2} * block_bytes) {
    other_ = buffer.subspan(block_bytes, block_bytes);
  }
  next_block_ = chain.head;
  loaded_ = false;
  return read_ahead();
}

void ChainReader::give(std::span<const u8> contents, const KeyBlockHeader& header) {
  copy(buffer_, contents);
  keys_.start(buffer_, log_->shape().key_words, header);
  loaded_ = true;
}

Status ChainReader::read_ahead() {
  ahead_ = next_block_ != 0 && !other_.empty();
  return ahead_ ? log_->begin_block(next_block_ - 1, other_) : Status();
}

Status ChainReader::load() {
  KeyBlockHeader header;
  if (ahead_) {
    XMC_TRY(log_->finish_block(next_block_ - 1, other_, header));
    std::swap(buffer_, other_);
  } else {
    XMC_TRY(log_->read_block(next_block_ - 1, buffer_, header));
  }
  keys_.start(buffer_, log_->shape().key_words, header);
  next_block_ = header.first_level;
  loaded_ = true;
  return read_ahead();
}

Result<bool> ChainReader::next(Word* key) {
  while (!loaded_ || !keys_.next(key)) {
    if (next_block_ == 0) return false;
    XMC_TRY(load());
  }
  return true;
}

}  // namespace xmc
