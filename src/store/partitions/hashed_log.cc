#include "store/partitions/hashed_log.h"

#include <algorithm>
#include <bit>

#include "xmc/bytes.h"
#include "xmc/check.h"

namespace xmc {

namespace {

u64 load_bits(const u8* plane, u32 index, u32 width) {
  const u32 at = index * width;
  return load_le<u64>(plane + at / 8) >> (at % 8) & ((u64{1} << width) - 1);
}

// The bits are zero before.
void store_bits(u8* plane, u32 index, u32 width, u64 value) {
  const u32 at = index * width;
  u8* const word = plane + at / 8;
  store_le<u64>(word, load_le<u64>(word) | value << (at % 8));
}

// The words behind the first, in the bytes that they have.
void store_tail(u8* to, const Word* state, u32 bytes) {
  for (const Word* word = state + 1; bytes > 0; ++word) {
    u8 whole[sizeof(Word)];
    store_le<u64>(whole, *word);
    const u32 some = std::min<u32>(bytes, sizeof(Word));
    copy(std::span<u8>(to, some), std::span<const u8>(whole, some));
    to += some;
    bytes -= some;
  }
}

void load_tail(const u8* from, Word* state, u32 bytes) {
  for (Word* word = state + 1; bytes > 0; ++word) {
    u8 whole[sizeof(Word)] = {};
    const u32 some = std::min<u32>(bytes, sizeof(Word));
    copy(std::span<u8>(whole), std::span<const u8>(from, some));
    *word = load_le<u64>(whole);
    from += some;
    bytes -= some;
  }
}

}  // namespace

void HashedLog::start(Device* device, const char* name, const Shape& shape, std::span<u8> buffer) {
  XMC_CHECK(buffer.size() >= kStripeBytes);
  XMC_CHECK(Layout(shape, 1).end + kHeaderBytes + kSlack <= kBlockBytes);
  device_ = device;
  name_ = name;
  shape_ = shape;
  buffer_ = buffer.first(kStripeBytes);
  for (u32 p = 0; p < kPartitions; ++p) {
    first_[p] = 0;
    keys_[p] = 0;
    used_[p] = kHeaderBytes;
    groups_[p] = {};
  }
  stripes_ = chain_ = 0;
  dirty_ = false;
}

Status HashedLog::reopen(Device* device, const char* name, const Shape& shape, std::span<u8> buffer,
                         u64 bytes, u64 chain) {
  XMC_TRY(device->truncate(bytes));
  start(device, name, shape, buffer);
  stripes_ = bytes / kStripeBytes;
  chain_ = chain;
  if (stripes_ == 0) return {};
  const ReadRequest last_stripe{(stripes_ - 1) * kStripeBytes, buffer_};
  XMC_TRY(device->read({&last_stripe, 1}, Purpose::states));
  for (u32 p = 0; p < kPartitions; ++p) {
    Contents contents;
    const std::span<const u8> last(block(p), kBlockBytes);
    XMC_TRY(open_block(p, stripes_ - 1, last, contents));
    first_[p] = contents.first_key + load_le<u32>(last.data() + BlockFrame::kBytes);
  }
  return {};
}

u64 HashedLog::keys() const {
  u64 sum = 0;
  for (u32 p = 0; p < kPartitions; ++p) sum += keys(p);
  return sum;
}

// Keys of a group that fit behind those that are there.
u32 HashedLog::room_for(u32 partition) const {
  const u32 room = kBlockBytes - kSlack - used_[partition];
  u32 most = kGroupKeys;
  while (most > 0 && Layout(shape_, most).end > room) --most;
  return most;
}

Status HashedLog::open_group(u32 partition, u64 level) {
  close_group(partition);
  u32 most = room_for(partition);
  if (most == 0) {
    XMC_TRY(write_stripe());
    most = room_for(partition);
  }
  groups_[partition] = {0, most, level};
  const Layout layout(shape_, most);
  u8* const group = block(partition) + used_[partition];
  fill_zero(std::span<u8>(group + layout.rest, layout.end - layout.rest + kSlack));
  return {};
}

Status HashedLog::append(const Word* state, u64 hash, u64 level) {
  const u32 p = StateHash::partition_of(hash);
  if (groups_[p].keys == groups_[p].most || groups_[p].level != level) {
    XMC_TRY(open_group(p, level));
  }
  Group& group = groups_[p];
  u8* const at = block(p) + used_[p];
  const Layout layout(shape_, group.most);
  const u32 index = group.keys++;
  store_le<u32>(at + kGroupHeader + 4 * index, static_cast<u32>(hash));
  const u64 below = hash & (~u64{0} >> StateHash::kPartitionBits);
  if (below >> 32 != 0) store_bits(at + layout.rest, index, shape_.hash.rest_bits(), below >> 32);
  const u32 tail = tail_bytes(shape_);
  if (tail != 0) store_tail(at + layout.tail + std::size_t{index} * tail, state, tail);
  ++keys_[p];
  dirty_ = true;
  return {};
}

// Moves its parts together and counts it to the block.
void HashedLog::close_group(u32 partition) {
  Group& group = groups_[partition];
  if (group.most == 0) return;
  u8* const at = block(partition) + used_[partition];
  const Layout wide(shape_, group.most);
  const Layout narrow(shape_, group.keys);
  XMC_DASSERT(group.keys > 0);
  if (group.keys < group.most) {
    move(std::span<u8>(at + narrow.rest, narrow.tail - narrow.rest),
         std::span<const u8>(at + wide.rest, narrow.tail - narrow.rest));
    move(std::span<u8>(at + narrow.tail, narrow.end - narrow.tail),
         std::span<const u8>(at + wide.tail, narrow.end - narrow.tail));
  }
  store_le<u32>(at, static_cast<u32>(group.level));
  store_le<u32>(at + 4, group.keys);
  used_[partition] += narrow.end;
  group = {};
}

Status HashedLog::write_stripe() {
  u64 chain = chain_;
  for (u32 p = 0; p < kPartitions; ++p) {
    close_group(p);
    u8* const at = block(p);
    store_le<u32>(at + BlockFrame::kBytes, keys_[p]);
    store_le<u32>(at + BlockFrame::kBytes + 4, u32{0});
    store_le<u64>(at + BlockFrame::kBytes + 8, first_[p]);
    BlockFrame frame;
    frame.kind = BlockKind::hashed;
    frame.words = static_cast<u16>(shape_.words);
    frame.used_bytes = used_[p];
    frame.block_bytes = kBlockBytes;
    chain = extend_chain(chain, seal_block({at, kBlockBytes}, frame, place_of(p, stripes_)));
  }
  XMC_TRY(device_->append(buffer_, Purpose::states));
  chain_ = chain;
  ++stripes_;
  for (u32 p = 0; p < kPartitions; ++p) {
    first_[p] += keys_[p];
    keys_[p] = 0;
    used_[p] = kHeaderBytes;
  }
  dirty_ = false;
  return {};
}

Status HashedLog::flush() {
  if (dirty_) XMC_TRY(write_stripe());
  return device_->sync();
}

Status HashedLog::clear() {
  XMC_TRY(device_->truncate(0));
  start(device_, name_, shape_, buffer_);
  return {};
}

void HashedLog::copy_blocks(u32 first, std::span<u8> into) {
  const u32 count = static_cast<u32>(into.size() / kBlockBytes);
  for (u32 p = first; p < first + count; ++p) close_group(p);
  copy(into, std::span<const u8>(block(first), into.size()));
}

Status HashedLog::open_block(u32 partition, u64 stripe, std::span<const u8> block,
                             Contents& contents) const {
  if (stripe == stripes_) {
    contents = {first_[partition], used_[partition]};
    return {};
  }
  BlockFrame frame;
  const bool sound = check_block(block, frame, place_of(partition, stripe), nullptr) &&
                     frame.kind == BlockKind::hashed && frame.words == shape_.words &&
                     frame.used_bytes >= kHeaderBytes;
  if (!sound) return damaged_block(name_, stripe * kPartitions + partition);
  contents = {load_le<u64>(block.data() + BlockFrame::kBytes + 8), frame.used_bytes};
  return {};
}

void HashedReader::start(HashedLog& log, std::span<u8> buffer, const GoOn& go_on) {
  XMC_CHECK(buffer.size() >= HashedLog::kStripeBytes);
  log_ = &log;
  rows_.start(log.device(), Purpose::states, HashedLog::kStripeBytes, buffer, go_on);
  seek(0, 0, 0, 0);
  end_ = 0;
}

void HashedReader::seek(u32 first, u32 last, u64 first_stripe, u64 last_stripe) {
  first_ = first;
  partition_ = last_ = last;
  end_ = std::min(last_stripe, log_->stripes()) + 1;
  stripe_ = first_stripe;
  rows_.seek(u64{first} * HashedLog::kBlockBytes,
             std::size_t{last - first} * HashedLog::kBlockBytes, first_stripe,
             std::min(end_, log_->stripes()));
  at_ = block_end_ = nullptr;
  bits_ = 0;
}

// The next stripes; the one in memory is the last.
Status HashedReader::load_stripes() {
  if (rows_.last() < rows_.end()) return rows_.advance();
  XMC_CHECK(rows_.last() == log_->stripes());  // nothing was appended meanwhile
  log_->copy_blocks(first_, rows_.add_row());
  return {};
}

// Several stripes are looked at partition by partition, so that a partition's filter is in the
// cache.
Result<bool> HashedReader::next_block() {
  if (stripe_ + 1 < rows_.last() && partition_ < last_) {
    ++stripe_;
  } else {
    if (partition_ < last_) ++partition_;
    if (partition_ == last_) {
      if (rows_.last() >= end_) return false;
      XMC_TRY(load_stripes());
      partition_ = first_;
    }
    stripe_ = rows_.first();
  }
  const std::span<const u8> block = rows_.row(stripe_).subspan(
      std::size_t{partition_ - first_} * HashedLog::kBlockBytes, HashedLog::kBlockBytes);
  HashedLog::Contents contents;
  XMC_TRY(log_->open_block(partition_, stripe_, block, contents));
  at_ = block.data() + HashedLog::kHeaderBytes;
  block_end_ = block.data() + contents.used_bytes;
  next_key_ = contents.first_key;
  return true;
}

Status HashedReader::open_group(std::span<const FingerprintFilter> filters) {
  group_ = at_;
  level_ = load_le<u32>(group_);
  const u32 keys = load_le<u32>(group_ + 4);
  const HashedLog::Layout layout(log_->shape(), std::min(keys, HashedLog::kGroupKeys));
  if (keys == 0 || keys > HashedLog::kGroupKeys ||
      layout.end > static_cast<u64>(block_end_ - group_)) {
    return damaged_block(log_->name(), stripe_ * HashedLog::kPartitions + partition_);
  }
  rest_at_ = layout.rest;
  tail_at_ = layout.tail;
  at_ += layout.end;
  first_key_ = next_key_;
  next_key_ += keys;
  bits_ = ~u64{0} >> (64 - keys);
  if (filters.empty()) return {};
  const FingerprintFilter& filter = filters[partition_ - first_];
  const u8* const prints = group_ + HashedLog::kGroupHeader;
  u64 found = 0;
  for (u32 i = 0; i < keys; ++i) {
    found |= u64{filter.may_have_quick(load_le<u32>(prints + 4 * i))} << i;
  }
  for (u64 left = found; left != 0; left &= left - 1) {
    const u32 i = static_cast<u32>(std::countr_zero(left));
    if (!filter.may_have(load_le<u32>(prints + 4 * i))) found &= ~(u64{1} << i);
  }
  bits_ = found;
  return {};
}

void HashedReader::load_state(u32 index, Word* state) {
  const HashedLog::Shape& shape = log_->shape();
  const u32 tail = HashedLog::tail_bytes(shape);
  if (tail != 0) load_tail(group_ + tail_at_ + std::size_t{index} * tail, state, tail);
  const u64 print = load_le<u32>(group_ + HashedLog::kGroupHeader + 4 * index);
  const u64 rest = load_bits(group_ + rest_at_, index, shape.hash.rest_bits());
  shape.hash.restore(u64{partition_} << (64 - StateHash::kPartitionBits) | rest << 32 | print,
                     state);
}

Result<bool> HashedReader::next(std::span<const FingerprintFilter> filters, Word* state) {
  while (bits_ == 0) {
    if (at_ == block_end_) {
      const Result<bool> more = next_block();
      if (!more.ok() || !more.value()) return more;
    } else {
      XMC_TRY(open_group(filters));
    }
  }
  const u32 index = static_cast<u32>(std::countr_zero(bits_));
  bits_ &= bits_ - 1;
  number_ = first_key_ + index;
  load_state(index, state);
  return true;
}

}  // namespace xmc
