#include "engine/cycles/edges/far_edges.h"

#include <algorithm>

#include "engine/search/file_names.h"
#include "xmc/bytes.h"
#include "xmc/check.h"

namespace xmc {

namespace {

constexpr u64 kShare = 4;

}  // namespace

u64 FarEdges::share_of(u64 memory, u64 least_memory) {
  return memory < least_memory ? 0 : round_down(memory / kShare, kPageBytes);
}

// | buffers | seek points, levels | numbers | table |
Status FarEdges::start(const Product& product, std::span<u8> memory, u32 number_bytes) {
  product_ = product;
  number_bytes_ = number_bytes;
  if (memory.empty()) return {};
  const auto take = [&](u64 bytes) {
    const std::span<u8> part = memory.first(static_cast<std::size_t>(bytes));
    memory = memory.subspan(part.size());
    return part;
  };
  write_buffer_ = take(EdgeFile::kBlockBytes);
  read_buffer_ = take(EdgeFile::kBlockBytes);
  seek_points_ = {reinterpret_cast<EdgeFile::SeekPoint*>(
                      take(kSeekPoints * sizeof(EdgeFile::SeekPoint)).data()),
                  kSeekPoints};
  level_begin_ = {reinterpret_cast<u64*>(take(kLevels * sizeof(u64)).data()), kLevels};
  const u64 state_bytes = std::max(product.search->model.state_bytes, 1u);
  const u64 share = memory.size() * number_bytes_ / (state_bytes + 6 + number_bytes_);
  numbers_ = take(round_up(share, 64));
  table_memory_ = take(round_down(memory.size(), 64));
  return begin();
}

Status FarEdges::begin() {
  XMC_TRY(close());
  XMC_LET(device_, product_.folder->open(kFarEdgeFile, Folder::Open::create));
  waiting_.start(device_, kFarEdgeFile, write_buffer_, seek_points_);
  const Model& model = product_.search->model;
  table_.init(table_memory_, {model.state_words, std::max(model.state_bytes, 1u), false});
  levels_ = 0;
  return {};
}

Status FarEdges::close() {
  if (device_ == nullptr) return {};
  product_.folder->close(device_);
  device_ = nullptr;
  return product_.folder->remove(kFarEdgeFile);
}

bool FarEdges::has_room(u64 states) const {
  return on() && table_.has_room(states) &&
         (table_.size() + states) * number_bytes_ <= numbers_.size();
}

u64 FarEdges::stand_in(const Word* state) {
  StateIndex far = kNone;
  XMC_CHECK(table_.insert(state, 1, &far) == 1);
  return product_.states + far;
}

Status FarEdges::append(u64 level, bool accepting, std::span<const u64> targets) {
  if (waiting_.states() == 0) first_level_ = level;
  while (first_level_ + levels_ < level) {
    XMC_CHECK(levels_ < kLevels);
    level_begin_[levels_++] = waiting_.states();
  }
  return waiting_.append(level, accepting, targets);
}

void FarEdges::forget_numbers() {
  const u64 bytes = u64{table_.size()} * number_bytes_;
  std::fill_n(numbers_.data(), static_cast<std::size_t>(bytes), u8{0xFF});
}

void FarEdges::set_number(StateIndex far, u64 number) {
  u8* const at = numbers_.data() + u64{far} * number_bytes_;
  if (number_bytes_ == 4) {
    store_le<u32>(at, static_cast<u32>(number));
  } else {
    store_le<u64>(at, number);
  }
}

u64 FarEdges::number(StateIndex far) const {
  const u8* const at = numbers_.data() + u64{far} * number_bytes_;
  return number_bytes_ == 4 ? load_le<u32>(at) : load_le<u64>(at);
}

Status FarEdges::settle(EdgeFile& edges, u64* targets) {
  reader_.start(waiting_, read_buffer_);
  u64 level = first_level_;
  u32 next_level = 0;
  for (u64 s = 0; s < waiting_.states(); ++s) {
    for (; next_level < levels_ && level_begin_[next_level] <= s; ++next_level) ++level;
    u32 count = 0;
    bool accepting = false;
    XMC_TRY(reader_.read(s, [&](const EdgeGroup::Record& record, std::span<const u64> piece) {
      accepting = record.accepting;
      for (const u64 target : piece) {
        targets[count++] = target < product_.states
                               ? target
                               : number(static_cast<StateIndex>(target - product_.states));
      }
    }));
    std::sort(targets, targets + count);
    XMC_TRY(edges.append(level, accepting, {targets, count}));
  }
  XMC_TRY(reader_.finish());
  return begin();
}

}  // namespace xmc
