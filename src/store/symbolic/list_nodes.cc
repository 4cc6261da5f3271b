#include "store/symbolic/list_nodes.h"

#include <algorithm>
#include <bit>

#include "xmc/bytes.h"

namespace xmc {

namespace {

// Nodes and lines come in sixty-fours, so that bits fill their words.
constexpr u64 kGroup = u64{ListNodes::kLine} * 64;
constexpr u64 kGroupBytes = kGroup * sizeof(u64) + sizeof(u64) + kGroup / 8 + sizeof(u64);

u64 mixed(u64 word) {
  word *= 0x9E37'79B9'7F4A'7C15;
  word ^= word >> 32;
  return word * 0xD6E8'FEB8'6659'FD93;
}

}  // namespace

u64 ListNodes::bytes_for(u64 nodes) { return divide_up(nodes, kGroup) * kGroupBytes; }

u64 ListNodes::nodes_in(u64 bytes) {
  return std::min(bytes / kGroupBytes * kGroup, u64{1} << kNodeBits);
}

void ListNodes::init(std::span<u8> memory) {
  const u64 nodes = nodes_in(memory.size());
  XMC_CHECK(nodes != 0);
  XMC_CHECK(reinterpret_cast<std::uintptr_t>(memory.data()) % kLineBytes == 0);
  lines_ = static_cast<u32>(nodes / kLine);
  u64* at = reinterpret_cast<u64*>(memory.data());
  const auto take = [&](u64 count) {
    const std::span<u64> taken(at, static_cast<std::size_t>(count));
    at += count;
    return taken;
  };
  words_ = take(nodes);
  spilled_ = take(divide_up(lines_, 64));
  marks_ = take(divide_up(nodes, 64));
  ranks_ = take(divide_up(nodes, kRankNodes));
  words_[kEmpty] = words_[kEnd] = ~u64{0};  // never found: no node has such contents
  used_ = 2;
  crowded_ = nodes - nodes / 16;
}

// The high half of a product: any number of lines will do. In halves, for 32-bit targets.
u32 ListNodes::home_of(u64 word) const {
  return static_cast<u32>(((mixed(word) >> 32) * lines_) >> 32);
}

Node ListNodes::find_or_add(u32 value, Node down, Node right) {
  XMC_DASSERT(value < kMostValues);
  XMC_DASSERT(down != kEmpty);
  const u64 wanted = word_of(value, down, right);
  const u32 home = home_of(wanted);
  u32 line = home;
  Node free = kEmpty;
  // Once around at most: in a small table every line can send a search on.
  do {
    const u64* const at = words_.data() + std::size_t{line} * kLine;
    for (u32 i = 0; i < kLine; ++i) {
      if (at[i] == wanted) return line * kLine + i;
      if (at[i] == 0 && free == kEmpty) free = line * kLine + i;
    }
    if (!spilled(line)) break;
    line = next_line(line);
  } while (line != home);
  if (used_ >= crowded_) return kEmpty;
  while (free == kEmpty) {
    set_spilled(line);
    line = next_line(line);
    const u64* const at = words_.data() + std::size_t{line} * kLine;
    for (u32 i = 0; i < kLine && free == kEmpty; ++i) {
      if (at[i] == 0) free = line * kLine + i;
    }
  }
  ++used_;
  words_[free] = wanted;
  return free;
}

void ListNodes::mark(Node list) {
  for (Node n = list; n > kEnd && !is_marked(n); n = right(n)) {
    marks_[n / 64] |= u64{1} << n % 64;
    mark(down(n));
  }
}

u64 ListNodes::count_below(Node list) {
  mark(list);
  u64 count = 0;
  for (const u64 bits : marks_) count += static_cast<u64>(std::popcount(bits));
  fill_zero(marks_);
  return count;
}

u64 ListNodes::number_marked() {
  u64 count = 0;
  for (std::size_t i = 0; i < marks_.size(); ++i) {
    if (i % (kRankNodes / 64) == 0) ranks_[i / (kRankNodes / 64)] = count;
    count += static_cast<u64>(std::popcount(marks_[i]));
  }
  return count;
}

Node ListNodes::number_of(Node n) const {
  if (n <= kEnd) return n;
  XMC_DASSERT(is_marked(n));
  u64 before = ranks_[n / kRankNodes];
  for (u32 i = n / kRankNodes * (kRankNodes / 64); i < n / 64; ++i) {
    before += static_cast<u64>(std::popcount(marks_[i]));
  }
  before += static_cast<u64>(std::popcount(marks_[n / 64] & ((u64{1} << n % 64) - 1)));
  return static_cast<Node>(kEnd + 1 + before);
}

void ListNodes::unmark() { fill_zero(marks_); }

// Where a node was put into a later line, the lines before it have to send a search on.
void ListNodes::sweep() {
  fill_zero(spilled_);
  used_ = 2;
  for (Node n = kEnd + 1; n < words_.size(); ++n) {
    if (words_[n] == 0) continue;
    if (!is_marked(n)) {
      words_[n] = 0;
      continue;
    }
    ++used_;
    for (u32 line = home_of(words_[n]); line != n / kLine; line = next_line(line))
      set_spilled(line);
  }
  fill_zero(marks_);
}

}  // namespace xmc
