#include "store/files/edge_file.h"

#include <algorithm>
#include <utility>

#include "xmc/bytes.h"
#include "xmc/check.h"

namespace xmc {

void EdgeFile::start(Device* device, const char* name, std::span<u8> buffer,
                     std::span<SeekPoint> seek_points) {
  XMC_CHECK(device->size_bytes() == 0);
  XMC_CHECK(buffer.size() >= kBlockBytes);
  XMC_CHECK(seek_points.size() >= 16);
  *this = {};
  device_ = device;
  name_ = name;
  buffer_ = buffer.first(kBlockBytes);
  if (buffer.size() >= 2 * kBlockBytes) other_ = buffer.subspan(kBlockBytes, kBlockBytes);
  seek_points_ = seek_points;
}

Status EdgeFile::reopen(Device* device, const char* name, std::span<u8> buffer,
                        std::span<SeekPoint> seek_points, u64 bytes, u64 chain) {
  XMC_CHECK(buffer.size() >= kBlockBytes);
  XMC_CHECK(seek_points.size() >= 16);
  XMC_CHECK(bytes % kBlockBytes == 0);
  XMC_TRY(device->truncate(bytes));
  *this = {};
  device_ = device;
  name_ = name;
  buffer_ = buffer.first(kBlockBytes);
  if (buffer.size() >= 2 * kBlockBytes) other_ = buffer.subspan(kBlockBytes, kBlockBytes);
  seek_points_ = seek_points;
  chain_ = chain;
  EdgeBlockReader reader;
  for (u64 i = 0; i < bytes / kBlockBytes; ++i) {
    const bool last = (i + 1) * kBlockBytes == bytes;
    if (i % stride_ != 0 && !last) continue;
    const ReadRequest request{i * kBlockBytes, buffer_};
    XMC_TRY(device->read({&request, 1}, Purpose::edges));
    EdgeBlockHeader header;
    if (!open_edge_block(buffer_, device->place(request.offset), header) ||
        !reader.start(buffer_, header)) {
      return damaged_block(name_, i);
    }
    add_seek_point(i, {header.first_state, header.first_level, reader.goes_on(0)});
    if (!last) continue;
    states_ = reader.first_state(reader.groups());
    level_ = reader.level_before(reader.groups());
    edges_ = header.edges_before;
    for (u32 g = 0; g < reader.groups(); ++g) edges_ += reader.edges(g);
  }
  blocks_ = bytes / kBlockBytes;
  return {};
}

void EdgeFile::add_seek_point(u64 block, const SeekPoint& point) {
  if (block % stride_ != 0) return;
  if (seek_point_count_ == seek_points_.size()) {
    for (u64 i = 0; 2 * i < seek_point_count_; ++i) {
      seek_points_[static_cast<std::size_t>(i)] = seek_points_[static_cast<std::size_t>(2 * i)];
    }
    seek_point_count_ = divide_up(seek_point_count_, 2);
    stride_ *= 2;
    if (block % stride_ != 0) return;
  }
  XMC_CHECK(block == seek_point_count_ * stride_);
  seek_points_[static_cast<std::size_t>(seek_point_count_++)] = point;
}

void EdgeFile::begin_block(u64 level, bool goes_on) {
  writer_.start(buffer_, states_, level, edges_);
  add_seek_point(blocks_, {states_, level, goes_on});
}

Status EdgeFile::write_block() {
  u64 checksum = 0;
  const std::span<const u8> block = writer_.seal(device_->place(bytes()), checksum);
  if (other_.empty()) {
    XMC_TRY(device_->append(block, Purpose::edges));
  } else {
    // The block that was written before this one is done when this one begins.
    XMC_TRY(device_->begin_append(block, Purpose::edges));
    std::swap(buffer_, other_);
  }
  chain_ = extend_chain(chain_, checksum);
  ++blocks_;
  writer_.start(buffer_, states_, level_, edges_);
  return {};
}

Status EdgeFile::put(u64 level, bool accepting, std::span<const u64> targets, bool goes_on) {
  for (;;) {
    if (writer_.empty()) begin_block(level, goes_on);
    if (writer_.append(level, accepting, targets, goes_on)) break;
    XMC_TRY(write_block());
  }
  if (!goes_on) ++states_;
  edges_ += targets.size();
  level_ = level;
  return {};
}

Status EdgeFile::append(u64 level, bool accepting, std::span<const u64> targets) {
  XMC_CHECK(level >= level_ || states_ == 0);
  const std::size_t count = std::min<std::size_t>(targets.size(), kEdgePiece);
  XMC_TRY(put(level, accepting, targets.first(count), false));
  return append_more(accepting, targets.subspan(count));
}

Status EdgeFile::append_more(bool accepting, std::span<const u64> targets) {
  while (!targets.empty()) {
    const std::size_t count = std::min<std::size_t>(targets.size(), kEdgePiece);
    XMC_TRY(put(level_, accepting, targets.first(count), true));
    targets = targets.subspan(count);
  }
  return {};
}

Status EdgeFile::flush() {
  if (!writer_.empty()) XMC_TRY(write_block());
  return device_->sync();
}

u64 EdgeFile::seek_point_before(u64 state) const {
  const auto end = seek_points_.begin() + static_cast<std::ptrdiff_t>(seek_point_count_);
  const auto behind =
      std::upper_bound(seek_points_.begin(), end, state,
                       [](u64 s, const SeekPoint& point) { return s < point.state; });
  return behind == seek_points_.begin() ? 0 : static_cast<u64>(behind - seek_points_.begin()) - 1;
}

// --- Reading ----------------------------------------------------------------------------------

void EdgeReader::start(EdgeFile& file, std::span<u8> buffer) {
  XMC_CHECK(buffer.size() >= EdgeFile::kBlockBytes);
  file_ = &file;
  buffer_ = buffer.first(EdgeFile::kBlockBytes);
  other_ = {};
  if (buffer.size() >= 2 * EdgeFile::kBlockBytes) {
    other_ = buffer.subspan(EdgeFile::kBlockBytes, EdgeFile::kBlockBytes);
  }
  ahead_ = loaded_ = kNoBlock;
  decoded_ = kNone;
}

Status EdgeReader::finish() {
  loaded_ = kNoBlock;
  decoded_ = kNone;
  return std::exchange(ahead_, kNoBlock) == kNoBlock ? Status() : file_->device_->finish_read();
}

Status EdgeReader::load(u64 block, u64 ahead) {
  XMC_CHECK(block < file_->blocks());
  const bool in_memory = block == file_->blocks_;
  if (block == loaded_ && (!in_memory_ || loaded_states_ == file_->states())) return {};
  const u64 waiting = std::exchange(ahead_, kNoBlock);
  if (waiting != kNoBlock) XMC_TRY(file_->device_->finish_read());
  loaded_ = kNoBlock;
  decoded_ = kNone;
  std::span<const u8> contents = file_->writer_.contents();
  EdgeBlockHeader header = file_->writer_.header();
  if (!in_memory) {
    if (waiting == block) {
      std::swap(buffer_, other_);
    } else {
      const ReadRequest request{block * EdgeFile::kBlockBytes, buffer_};
      XMC_TRY(file_->device_->read({&request, 1}, Purpose::edges));
    }
    contents = buffer_;
    const BlockPlace place = file_->device_->place(block * EdgeFile::kBlockBytes);
    if (!open_edge_block(buffer_, place, header)) return damaged_block(file_->name(), block);
  }
  if (!block_.start(contents, header)) return damaged_block(file_->name(), block);
  loaded_ = block;
  in_memory_ = in_memory;
  loaded_states_ = file_->states();
  if (ahead < file_->blocks_ && !other_.empty()) {
    XMC_TRY(file_->device_->begin_read({ahead * EdgeFile::kBlockBytes, other_}, Purpose::edges));
    ahead_ = ahead;
  }
  return {};
}

Status EdgeReader::decode(u32 i) {
  if (i == decoded_) return {};
  decoded_ = kNone;
  if (!block_.decode(i, group_)) return damaged_block(file_->name(), loaded_);
  decoded_ = i;
  return {};
}

// Loads the last block that begins before what is wanted, or the first one. Blocks between two
// seek points are looked at.
template <class Before>
Status EdgeReader::find_block(Before before) {
  u64 low = 0;
  u64 high = file_->seek_point_count();
  XMC_CHECK(high > 0);
  while (low + 1 < high) {
    const u64 middle = (low + high) / 2;
    (before(file_->seek_point(middle).state, file_->seek_point(middle).level) ? low : high) =
        middle;
  }
  low *= file_->stride();
  high = std::min(low + file_->stride(), file_->blocks());
  while (low + 1 < high) {
    const u64 middle = (low + high) / 2;
    XMC_TRY(load(middle));
    (before(block_.first_state(0), block_.level_before(0)) ? low : high) = middle;
  }
  return load(low);
}

Status EdgeReader::seek(u64 state) {
  XMC_CHECK(state < file_->states());
  const bool here = loaded_ != kNoBlock && loaded_states_ == file_->states() &&
                    state >= first_state() && state < end_state();
  if (!here) XMC_TRY(find_block([&](u64 first, u64) { return first <= state; }));
  u32 low = 0;
  for (u32 high = block_.groups(); low + 1 < high;) {
    const u32 middle = (low + high) / 2;
    (block_.first_state(middle) <= state ? low : high) = middle;
  }
  XMC_TRY(decode(low));
  const auto at = std::lower_bound(
      group_.record, group_.record + group_.records, state,
      [](const EdgeGroup::Record& record, u64 wanted) { return record.state < wanted; });
  at_ = static_cast<u32>(at - group_.record);
  return {};
}

// To the group behind this one if that begins with more of the same state.
Status EdgeReader::next_group(bool& more) {
  at_ = 0;
  u32 next = decoded_ + 1;
  if (next == block_.groups()) {
    if (loaded_ + 1 == file_->blocks()) return {};
    XMC_TRY(load(loaded_ + 1));
    next = 0;
  }
  more = block_.goes_on(next);
  return more ? decode(next) : Status();
}

Status EdgeReader::level_begin(u64 level, u64& state) {
  state = file_->states();
  if (state == 0 || file_->level() < level) return {};
  XMC_TRY(find_block([&](u64, u64 first) { return first < level; }));
  for (u32 g = 0; g < block_.groups(); ++g) {
    if (block_.level_before(g + 1) < level) continue;
    state = block_.find_level(g, level);
    return {};
  }
  state = end_state();
  return {};
}

Status EdgeReader::level_of(u64 state, u64& level) {
  XMC_TRY(seek(state));
  const u32 g = decoded_;
  // Some level of this group: the deepest that begins at the state or before it.
  level = block_.level_before(g);
  for (u64 end = block_.level_before(g + 1); level < end;) {
    const u64 middle = level + (end - level + 1) / 2;
    if (block_.find_level(g, middle) <= state) {
      level = middle;
    } else {
      end = middle - 1;
    }
  }
  return {};
}

}  // namespace xmc
