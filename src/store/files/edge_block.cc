#include "store/files/edge_block.h"

#include <algorithm>

#include "xmc/bytes.h"
#include "xmc/check.h"

namespace xmc {

namespace {

constexpr u64 kMostSkipped = 3;

u8* put_number(u8* out, u64 value) {
  for (; value >= 128; value >>= 7) *out++ = static_cast<u8>(value | 128);
  *out++ = static_cast<u8>(value);
  return out;
}

u64 fold(u64 to, u64 from) { return to >= from ? 2 * (to - from) : 2 * (from - to) - 1; }
u64 unfold(u64 from, u64 folded) {
  return (folded & 1) == 0 ? from + folded / 2 : from - (folded + 1) / 2;
}

// Reads numbers, and remembers when they pass the end.
struct NumberReader {
  const u8* at;
  const u8* end;
  bool damaged = false;

  u64 next() {
    if (at < end && *at < 128) return *at++;
    u64 value = 0;
    for (u32 shift = 0; at < end && shift < 64; shift += 7) {
      const u8 byte = *at++;
      value |= u64{byte & 127u} << shift;
      if (byte < 128) return value;
    }
    damaged = true;
    return 0;
  }
};

// The targets of the record before that are next: those beyond the last one that was coded.
struct Guide {
  std::span<const u64> previous;
  std::size_t at = 0;

  void pass(u64 target) {
    while (at < previous.size() && previous[at] <= target) ++at;
  }
  std::size_t count() const { return std::min<std::size_t>(3, previous.size() - at); }
  u64 operator[](std::size_t i) const { return previous[at + i]; }
};

u8* put_targets(u8* out, u64 state, std::span<const u64> targets, std::span<const u64> previous) {
  Guide guide{previous};
  for (std::size_t i = 0; i < targets.size(); ++i) {
    const u64 target = targets[i];
    u64 best = (i == 0 ? fold(target, state) : target - targets[i - 1] - 1) << 2;
    for (std::size_t way = 0; way < guide.count(); ++way) {
      best = std::min(best, fold(target, guide[way]) << 2 | (way + 1));
    }
    out = put_number(out, best);
    guide.pass(target);
  }
  return out;
}

}  // namespace

void EdgeBlockWriter::start(std::span<u8> buffer, u64 first_state, u64 first_level,
                            u64 edges_before) {
  *this = {};
  buffer_ = buffer;
  header_.first_state = next_ = first_state;
  header_.first_level = level_ = first_level;
  header_.edges_before = edges_before;
}

// A block that is read has the counts of its last group, too.
void EdgeBlockWriter::note_group() {
  u8* const at = buffer_.data() + group_at_;
  const u32 bytes = header_.used_bytes - group_at_ - kEdgeGroupHeader;
  store_le<u32>(at, bytes | group_levels_ << 16);
  store_le<u32>(at + 4, group_states_);
}

bool EdgeBlockWriter::open_group() {
  if (header_.groups == EdgeBlockReader::kMostGroups) return false;
  if (header_.used_bytes + kEdgeGroupHeader > buffer_.size()) return false;
  group_at_ = header_.used_bytes;
  header_.used_bytes += kEdgeGroupHeader;
  group_end_ =
      static_cast<u32>(std::min<u64>(u64{header_.used_bytes} + kEdgeGroupBytes, buffer_.size()));
  ++header_.groups;
  group_states_ = group_levels_ = 0;
  run_ = 0;
  previous_count_ = 0;
  note_group();
  return true;
}

bool EdgeBlockWriter::append(u64 level, bool accepting, std::span<const u64> targets,
                             bool goes_on) {
  XMC_CHECK(level >= level_);
  XMC_CHECK(targets.size() <= kEdgePiece);
  XMC_CHECK(!goes_on || !targets.empty());
  if (!empty() && put_record(level, accepting, targets, goes_on)) return true;
  return open_group() && put_record(level, accepting, targets, goes_on);
}

// Into the group; false if it has no room.
bool EdgeBlockWriter::put_record(u64 level, bool accepting, std::span<const u64> targets,
                                 bool goes_on) {
  const u64 deeper = level - level_;
  if (deeper > 0xFFFF - group_levels_ || group_states_ == ~u32{0}) return false;
  const u64 state = goes_on ? next_ - 1 : next_;
  const bool behind_run = run_ > 0 && deeper == 0 && !goes_on;
  const bool longer_run = behind_run && targets.empty();
  const u64 skipped = behind_run && !targets.empty() && run_ <= kMostSkipped ? run_ : 0;
  // A run that goes on, or that the record says itself, is written over.
  const u32 begin = longer_run || skipped > 0 ? run_at_ : header_.used_bytes;
  u8 bytes[kEdgeGroupBytes];
  u8* end = bytes;
  if (deeper > 0) end = put_number(put_number(put_number(end, 0), 0), deeper);
  if (goes_on) end = put_number(put_number(put_number(end, 0), 0), 0);
  const u32 body = static_cast<u32>(end - bytes);
  if (targets.empty()) {
    end = put_number(put_number(end, 0), longer_run ? run_ + 1 : 1);
  } else {
    end = put_number(end, 1 + 8 * u64{targets.size()} + 2 * skipped + (accepting ? 1 : 0));
    end = put_targets(end, state, targets, {previous_, previous_count_});
  }
  const u32 size = static_cast<u32>(end - bytes);
  if (begin + size > group_end_) return false;
  copy(buffer_.subspan(begin), std::span<const u8>(bytes, size));
  header_.used_bytes = begin + size;
  run_ = targets.empty() ? (longer_run ? run_ + 1 : 1) : 0;
  run_at_ = begin + body;
  if (!targets.empty()) {
    previous_count_ = static_cast<u32>(targets.size());
    std::copy(targets.begin(), targets.end(), previous_);
  }
  group_levels_ += static_cast<u32>(deeper);
  group_states_ += goes_on ? 0 : 1;
  level_ = level;
  next_ = state + 1;
  note_group();
  return true;
}

std::span<const u8> EdgeBlockWriter::seal(const BlockPlace& place, u64& checksum) {
  XMC_CHECK(!empty());
  u8* const at = buffer_.data() + BlockFrame::kBytes;
  store_le<u64>(at, header_.first_state);
  store_le<u64>(at + 8, header_.first_level);
  store_le<u64>(at + 16, header_.edges_before);
  store_le<u32>(at + 24, header_.groups);
  store_le<u32>(at + 28, 0);
  const u32 size = static_cast<u32>(buffer_.size());
  checksum = seal_block(buffer_, {BlockKind::edges, 0, header_.used_bytes, size}, place);
  return buffer_;
}

bool open_edge_block(std::span<const u8> block, const BlockPlace& place, EdgeBlockHeader& header) {
  BlockFrame frame;
  if (!check_block(block, frame, place, nullptr) || frame.kind != BlockKind::edges) return false;
  if (frame.used_bytes < EdgeBlockHeader::kBytes) return false;
  const u8* const at = block.data() + BlockFrame::kBytes;
  header.used_bytes = frame.used_bytes;
  header.first_state = load_le<u64>(at);
  header.first_level = load_le<u64>(at + 8);
  header.edges_before = load_le<u64>(at + 16);
  header.groups = load_le<u32>(at + 24);
  return true;
}

bool EdgeBlockReader::start(std::span<const u8> block, const EdgeBlockHeader& header) {
  groups_ = 0;
  if (header.groups > kMostGroups || header.used_bytes > block.size()) return false;
  block_ = block.first(header.used_bytes);
  Group group{header.first_state, header.first_level, EdgeBlockHeader::kBytes, 0};
  for (u32 i = 0; i < header.groups; ++i) {
    if (group.at + kEdgeGroupHeader > block_.size()) return false;
    const u32 sizes = load_le<u32>(block_.data() + group.at);
    const u32 states = load_le<u32>(block_.data() + group.at + 4);
    group.at += kEdgeGroupHeader;
    group.bytes = sizes & 0xFFFF;
    if (group.bytes > kEdgeGroupBytes || group.at + group.bytes > block_.size()) return false;
    group_[i] = group;
    group.at += group.bytes;
    group.state += states;
    group.level += sizes >> 16;
  }
  group_[header.groups] = group;
  groups_ = header.groups;
  return true;
}

bool EdgeBlockReader::goes_on(u32 i) const {
  const u8* const at = block_.data() + group_[i].at;
  return group_[i].bytes >= 3 && at[0] == 0 && at[1] == 0 && at[2] == 0;
}

// Walks over a group without decoding targets: on_record(targets) for each record, and
// on_level(first state, level) for each level that begins, until that is true.
template <class OnRecord, class OnLevel>
void EdgeBlockReader::walk(u32 i, OnRecord on_record, OnLevel on_level) const {
  XMC_CHECK(i < groups_);
  const Group& group = group_[i];
  NumberReader in{block_.data() + group.at, block_.data() + group.at + group.bytes};
  u64 next = group.state;
  for (u64 level = group.level; in.at < in.end;) {
    const u64 head = in.next();
    if (head > 0) {
      const u64 count = (head - 1) / 8;
      on_record(count);
      for (u64 k = count; k > 0 && !in.damaged; --k) in.next();
      next += 1 + (head - 1) / 2 % 4;
      continue;
    }
    const u64 run = in.next();
    next += run;
    if (run > 0) continue;
    const u64 deeper = in.next();
    level += deeper;
    if (deeper == 0) --next;  // the record that follows begins no state
    if (deeper > 0 && on_level(next, level)) return;
  }
}

u64 EdgeBlockReader::edges(u32 i) const {
  u64 sum = 0;
  walk(
      i, [&](u64 count) { sum += count; }, [](u64, u64) { return false; });
  return sum;
}

u64 EdgeBlockReader::find_level(u32 i, u64 level) const {
  if (group_[i].level >= level) return group_[i].state;
  u64 found = group_[i + 1].state;
  const auto on_level = [&](u64 next, u64 here) {
    if (here >= level) found = next;
    return here >= level;
  };
  walk(
      i, [](u64) {}, on_level);
  return found;
}

bool EdgeBlockReader::decode(u32 i, EdgeGroup& out) const {
  XMC_CHECK(i < groups_);
  const Group& group = group_[i];
  NumberReader in{block_.data() + group.at, block_.data() + group.at + group.bytes};
  u64 next = group.state;
  u64 level = group.level;
  bool goes_on = false;
  u32 used = 0;
  out.records = 0;
  std::span<const u64> previous;
  while (in.at < in.end) {
    const u64 head = in.next();
    if (head == 0) {
      const u64 run = in.next();
      next += run;
      if (run > 0) continue;
      const u64 deeper = in.next();
      level += deeper;
      goes_on = deeper == 0;
      continue;
    }
    const u64 count = (head - 1) / 8;
    next += (head - 1) / 2 % 4;
    if (count == 0 || count > kEdgePiece || used + count > kEdgeGroupBytes) return false;
    EdgeGroup::Record& record = out.record[out.records++];
    if (!goes_on) ++next;
    record = {next - 1,      level,  static_cast<u16>(used), static_cast<u16>(count),
              head % 2 == 0, goes_on};
    goes_on = false;
    Guide guide{previous};
    u64 target = record.state;
    for (u32 k = 0; k < count; ++k) {
      const u64 number = in.next();
      const u64 way = number & 3;
      if (way > guide.count()) return false;
      if (way > 0) {
        target = unfold(guide[static_cast<std::size_t>(way - 1)], number >> 2);
      } else {
        target = k == 0 ? unfold(target, number >> 2) : target + (number >> 2) + 1;
      }
      out.target[used++] = target;
      guide.pass(target);
    }
    previous = out.targets(record);
  }
  return !in.damaged && next == group_[i + 1].state;
}

}  // namespace xmc
