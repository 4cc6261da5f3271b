#include "store/fingerprint_log.h"

#include <algorithm>
#include <bit>
#include <iterator>

#include "xmc/bytes.h"
#include "xmc/check.h"

namespace xmc {

namespace {

// Of a batch: what a queue of the device takes.
constexpr u32 kMostRequests = 32;

}  // namespace

void FingerprintLog::start(Device* device, const char* name, u32 partitions, std::span<u8> buffer) {
  XMC_CHECK(partitions >= 1 && partitions <= MatchReader::kMostPartitions);
  device_ = device;
  name_ = name;
  partitions_ = partitions;
  XMC_CHECK(buffer.size() >= stripe_bytes());
  buffer_ = buffer.first(static_cast<std::size_t>(stripe_bytes()));
  std::fill_n(groups_, partitions, 0u);
  stripes_ = chain_ = 0;
  dirty_ = false;
}

Status FingerprintLog::reopen(Device* device, const char* name, u32 partitions,
                              std::span<u8> buffer, u64 bytes, u64 chain) {
  XMC_TRY(device->truncate(bytes));
  start(device, name, partitions, buffer);
  stripes_ = bytes / stripe_bytes();
  chain_ = chain;
  return {};
}

void FingerprintLog::store_restarts(u8* group, const Start& start) {
  store_le<u32>(group + 16, start.behind[1] | start.behind[2] << 16);
  store_le<u32>(group + 20, start.behind[3]);
}

Status FingerprintLog::append(const PartitionLog& keys, u32 partition, u32 fingerprint) {
  XMC_DASSERT(partition < partitions_);
  const KeyPlace& place = keys.place(partition);
  const u32 behind = place.index % kGroupKeys;
  Start& start = start_[partition];
  if (behind == 0) start = {keys.stripes(), place, {}};
  if (behind == 0 || groups_[partition] == 0) {
    if (groups_[partition] == kGroups) XMC_TRY(write_stripe());
    u8* const group = block(partition) + kHeaderBytes + groups_[partition] * kGroupBytes;
    store_le<u32>(group, static_cast<u32>(start.stripe));
    store_le<u32>(group + 4, static_cast<u32>(start.place.level));
    store_le<u32>(group + 8, start.place.offset);
    store_le<u32>(group + 12, start.place.index / kGroupKeys | behind << 16);
    store_restarts(group, start);
    ++groups_[partition];
    fill_[partition] = 0;
  }
  u8* const group = block(partition) + kHeaderBytes + (groups_[partition] - 1) * kGroupBytes;
  if (behind % kRestartKeys == 0) {
    start.behind[behind / kRestartKeys] = place.offset - start.place.offset;
    store_restarts(group, start);
  }
  store_le<u32>(group + kGroupHeader + std::size_t{fill_[partition]} * 4, fingerprint);
  group[15] = static_cast<u8>(++fill_[partition]);
  dirty_ = true;
  return {};
}

Status FingerprintLog::write_stripe() {
  u64 chain = chain_;
  for (u32 p = 0; p < partitions_; ++p) {
    u8* const at = block(p);
    store_le<u32>(at + BlockFrame::kBytes, groups_[p]);
    store_le<u32>(at + BlockFrame::kBytes + 4, u32{0});
    BlockFrame frame;
    frame.kind = BlockKind::fingerprints;
    frame.used_bytes = kHeaderBytes + groups_[p] * kGroupBytes;
    frame.block_bytes = kBlockBytes;
    chain = extend_chain(chain, seal_block({at, kBlockBytes}, frame));
  }
  XMC_TRY(device_->append(buffer_, Purpose::states));
  chain_ = chain;
  ++stripes_;
  std::fill_n(groups_, partitions_, 0u);
  dirty_ = false;
  return {};
}

Status FingerprintLog::flush() {
  if (dirty_) XMC_TRY(write_stripe());
  return device_->sync();
}

Status FingerprintLog::clear() {
  XMC_TRY(device_->truncate(0));
  start(device_, name_, partitions_, buffer_);
  return {};
}

Status FingerprintLog::read_blocks(u32 first, u32 last, u64 stripe, u64 count, std::span<u8> into) {
  const std::size_t bytes = std::size_t{last - first} * kBlockBytes;
  XMC_CHECK(into.size() == bytes * count);
  if (stripe == stripes_) {
    XMC_CHECK(count == 1);
    copy(into, std::span<const u8>(block(first), bytes));
    return {};
  }
  const u64 offset = stripe * stripe_bytes() + u64{first} * kBlockBytes;
  if (bytes == stripe_bytes()) {
    const ReadRequest all{offset, into};
    return device_->read({&all, 1}, Purpose::states);
  }
  ReadRequest requests[kMostRequests];
  for (u64 done = 0; done < count;) {
    u32 filled = 0;
    for (; filled < kMostRequests && done < count; ++done) {
      requests[filled++] = {offset + done * stripe_bytes(),
                            into.subspan(static_cast<std::size_t>(done) * bytes, bytes)};
    }
    XMC_TRY(device_->read({requests, filled}, Purpose::states));
  }
  return {};
}

Status FingerprintLog::open_block(u32 partition, u64 stripe, std::span<const u8> block,
                                  u32& groups) const {
  if (stripe == stripes_) {
    groups = groups_[partition];
    return {};
  }
  BlockFrame frame;
  const bool sound = check_block(block, frame, nullptr) && frame.kind == BlockKind::fingerprints;
  groups = sound ? load_le<u32>(block.data() + BlockFrame::kBytes) : 0;
  if (!sound || groups > kGroups) return damaged_block(name_, stripe * partitions_ + partition);
  return {};
}

void MatchReader::start(FingerprintLog& prints, std::span<u8> prints_buffer, PartitionLog& keys,
                        std::span<u8> keys_buffer) {
  prints_ = &prints;
  keys_ = &keys;
  prints_buffer_ = prints_buffer;
  keys_buffer_ = keys_buffer;
  stripe_ = end_ = blocks_ = 0;
}

void MatchReader::seek(u32 first, u32 last, u64 first_stripe, u64 last_stripe) {
  XMC_CHECK(last - first <= kMostPartitions);
  first_ = first;
  last_ = last;
  stripe_ = first_stripe;
  end_ = std::min(last_stripe, prints_->stripes()) + 1;
  match_count_ = next_match_ = bits_ = 0;
  held_first_ = held_last_ = 0;
  key_block_count_ = 0;
  open_block_ = kNone;
}

std::span<u8> MatchReader::held_block(u32 partition, u64 stripe) const {
  const std::size_t row = static_cast<std::size_t>(stripe - held_first_) * (last_ - first_);
  return prints_buffer_.subspan((row + partition - first_) * FingerprintLog::kBlockBytes,
                                FingerprintLog::kBlockBytes);
}

// Puts bits for the fingerprints that the filter may have into the place of each group's first one.
Status MatchReader::scan_block(const FingerprintFilter& filter, u32 partition, u64 stripe) {
  const std::span<u8> block = held_block(partition, stripe);
  u32 groups = 0;
  XMC_TRY(prints_->open_block(partition, stripe, block, groups));
  store_le<u32>(block.data() + BlockFrame::kBytes, groups);
  u8* group = block.data() + FingerprintLog::kHeaderBytes;
  for (u32 g = 0; g < groups; ++g, group += FingerprintLog::kGroupBytes) {
    u8* const prints = group + FingerprintLog::kGroupHeader;
    const u32 count = group[15];
    u32 found = 0;
    for (u32 i = 0; i < count; ++i) {
      found |= filter.may_have_quick(load_le<u32>(prints + 4 * i)) << i;
    }
    for (u32 left = found; left != 0; left &= left - 1) {
      const u32 i = static_cast<u32>(std::countr_zero(left));
      if (!filter.may_have(load_le<u32>(prints + 4 * i))) found &= ~(1u << i);
    }
    store_le<u32>(prints, found);
  }
  return {};
}

// Several stripes are read at once, and looked at partition by partition, so that a partition's
// filter is in the cache.
Status MatchReader::load_stripes(std::span<const FingerprintFilter> filters) {
  XMC_CHECK(filters.size() >= last_ - first_);
  const std::size_t bytes = std::size_t{last_ - first_} * FingerprintLog::kBlockBytes;
  const u64 whole = std::min(end_, prints_->stripes());
  u64 count = 1;
  if (stripe_ < whole) count = std::min<u64>(prints_buffer_.size() / bytes, whole - stripe_);
  const std::span<u8> into = prints_buffer_.first(static_cast<std::size_t>(count) * bytes);
  XMC_TRY(prints_->read_blocks(first_, last_, stripe_, count, into));
  held_first_ = stripe_;
  held_last_ = stripe_ + count;
  for (u32 p = first_; p < last_; ++p) {
    for (u64 s = held_first_; s < held_last_; ++s) XMC_TRY(scan_block(filters[p - first_], p, s));
  }
  return {};
}

void MatchReader::add_match(u32 partition, const u8* group) {
  Match& match = matches_[match_count_++];
  match.stripe = load_le<u32>(group);
  match.partition = partition;
  match.place = {load_le<u32>(group + 8),
                 (load_le<u32>(group + 12) & 0xFFFF) * FingerprintLog::kGroupKeys,
                 load_le<u32>(group + 4)};
  const u32 behind = load_le<u32>(group + 16);
  match.behind[1] = behind & 0xFFFF;
  match.behind[2] = behind >> 16;
  match.behind[3] = load_le<u32>(group + 20);
  match.keys = load_le<u32>(group + FingerprintLog::kGroupHeader) << group[14];
}

void MatchReader::add_matches(u64 stripe) {
  for (u32 p = first_; p < last_; ++p) {
    const std::span<const u8> block = held_block(p, stripe);
    const u32 groups = load_le<u32>(block.data() + BlockFrame::kBytes);
    const u8* group = block.data() + FingerprintLog::kHeaderBytes;
    for (u32 g = 0; g < groups; ++g, group += FingerprintLog::kGroupBytes) {
      if (load_le<u32>(group + FingerprintLog::kGroupHeader) != 0) add_match(p, group);
    }
  }
}

// The matches of the next stripe, and of others that were read with it if they find room, in the
// order of the keys.
Status MatchReader::gather_matches(std::span<const FingerprintFilter> filters) {
  match_count_ = next_match_ = 0;
  if (stripe_ < held_first_ || stripe_ >= held_last_) XMC_TRY(load_stripes(filters));
  const u32 most = (last_ - first_) * FingerprintLog::kGroups;
  do {
    add_matches(stripe_++);
    blocks_ += last_ - first_;
  } while (stripe_ < held_last_ && match_count_ + most <= std::size(matches_));
  std::sort(matches_, matches_ + match_count_, [](const Match& a, const Match& b) {
    if (a.stripe != b.stripe) return a.stripe < b.stripe;
    if (a.partition != b.partition) return a.partition < b.partition;
    return a.place.index < b.place.index;
  });
  return {};
}

// From the block of a match to the last one of its stripe that has one, if that is half of them.
u32 MatchReader::blocks_to_read(u32 next, u32 room) const {
  const Match& match = matches_[next];
  u32 wanted = 1;
  u32 last = match.partition;
  for (u32 i = next; i < match_count_ && matches_[i].stripe == match.stripe; ++i) {
    if (matches_[i].partition == last || matches_[i].partition - match.partition >= room) continue;
    last = matches_[i].partition;
    ++wanted;
  }
  const u32 span = last - match.partition + 1;
  return wanted * 2 >= span ? span : 1;
}

// The blocks of a match and of those behind it, as many as find room.
Status MatchReader::load_keys(u32 next) {
  const u32 block_bytes = keys_->shape().block_bytes;
  const u32 room = std::min(static_cast<u32>(keys_buffer_.size() / block_bytes), kMostPartitions);
  ReadRequest requests[kMostPartitions];
  u32 filled = 0;
  key_block_count_ = 0;
  open_block_ = kNone;
  while (next < match_count_ && key_block_count_ < room) {
    const Match& match = matches_[next];
    const bool live = match.stripe == keys_->stripes();
    if (live && filled > 0) break;
    const u32 count = live ? 1 : blocks_to_read(next, room - key_block_count_);
    requests[filled++] =
        keys_->read_request(match.partition, match.stripe,
                            keys_buffer_.subspan(std::size_t{key_block_count_} * block_bytes,
                                                 std::size_t{count} * block_bytes));
    for (u32 i = 0; i < count; ++i) {
      key_blocks_[key_block_count_++] = {match.stripe, match.partition + i, false, {}};
    }
    if (live) return keys_->read_blocks(match.partition, match.stripe, requests[0].into);
    const u32 end = match.partition + count;
    while (next < match_count_ && matches_[next].stripe == match.stripe &&
           matches_[next].partition < end) {
      ++next;
    }
  }
  blocks_ += key_block_count_;
  return keys_->read({requests, filled});
}

u32 MatchReader::held_key_block(const Match& match) const {
  for (u32 i = 0; i < key_block_count_; ++i) {
    if (key_blocks_[i].stripe == match.stripe && key_blocks_[i].partition == match.partition) {
      return i;
    }
  }
  return kNone;
}

Status MatchReader::open_match(const Match& match) {
  const u32 block_bytes = keys_->shape().block_bytes;
  u32 held = held_key_block(match);
  if (held == kNone) {
    XMC_TRY(load_keys(static_cast<u32>(&match - matches_)));
    held = 0;
  }
  if (held != open_block_) {
    const std::span<const u8> block =
        keys_buffer_.subspan(std::size_t{held} * block_bytes, block_bytes);
    KeyBlock& keys = key_blocks_[held];
    if (!keys.checked) {
      XMC_TRY(keys_->open_block(match.partition, match.stripe, block, keys.header));
      keys.checked = true;
    }
    reader_.start(block, keys_->shape().key_words, keys.header);
    partition_ = match.partition;
    open_block_ = held;
  }
  reader_.seek(match.place);
  bits_ = match.keys;
  return {};
}

Result<bool> MatchReader::next(std::span<const FingerprintFilter> filters, Word* key) {
  while (bits_ == 0) {
    if (next_match_ < match_count_) {
      ++next_match_;
      XMC_TRY(open_match(matches_[next_match_ - 1]));
    } else if (stripe_ < end_) {
      XMC_TRY(gather_matches(filters));
    } else {
      return false;
    }
  }
  const Match& match = matches_[next_match_ - 1];
  const u32 bit = static_cast<u32>(std::countr_zero(bits_));
  bits_ &= bits_ - 1;
  const u32 restart = bit / kRestartKeys;
  const u32 begin = match.place.index + restart * kRestartKeys;
  if (reader_.done() < begin) {
    reader_.seek({match.place.offset + match.behind[restart], begin, match.place.level});
  }
  const u32 wanted = match.place.index + bit;
  while (reader_.done() <= wanted) {
    const bool more = reader_.next(key);
    XMC_CHECK(more);
  }
  return true;
}

}  // namespace xmc
