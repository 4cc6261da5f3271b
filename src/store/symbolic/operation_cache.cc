#include "store/symbolic/operation_cache.h"

#include <utility>

#include "xmc/check.h"

namespace xmc {

namespace {

constexpr u32 kNodeMask = (1u << ListNodes::kNodeBits) - 1;

// What is behind a word of a number.
enum Behind : u32 { kEnds, kMore, kOver };

SetOp count_op(u32 word) { return static_cast<SetOp>(static_cast<u32>(SetOp::count) + word); }

bool is_alive(const ListNodes& nodes, const OperationCache::Entry& e) {
  if (!nodes.is_marked(e.key & kNodeMask)) return false;
  const SetOp op = static_cast<SetOp>(e.key >> ListNodes::kNodeBits);
  if (op >= SetOp::count) return true;
  switch (op) {
    case SetOp::unite:
    case SetOp::subtract:
    case SetOp::intersect:
    case SetOp::image:
    case SetOp::join:
    case SetOp::preimage:
      return nodes.is_marked(e.b) && nodes.is_marked(e.result);
    default:
      return nodes.is_marked(e.result);
  }
}

}  // namespace

void OperationCache::init(std::span<u8> memory) {
  static_assert(sizeof(Entry) * kPlaces == kLineBytes);
  lines_ = memory.size() / kLineBytes;
  XMC_CHECK(lines_ != 0);
  XMC_CHECK(reinterpret_cast<std::uintptr_t>(memory.data()) % kLineBytes == 0);
  entries_ = {reinterpret_cast<Entry*>(memory.data()), static_cast<std::size_t>(lines_ * kPlaces)};
}

OperationCache::Entry* OperationCache::line_of(u32 key, u32 b, u32 c) {
  u64 h = (u64{key} << 32 | b) * 0x9E37'79B9'7F4A'7C15;
  h = (h ^ h >> 32 ^ c) * 0xD6E8'FEB8'6659'FD93;
  return entries_.data() + ((h >> 32) * lines_ >> 32) * kPlaces;
}

bool OperationCache::find(SetOp op, Node a, u32 b, u32 c, Node& result) {
  const u32 key = key_of(op, a);
  Entry* const line = line_of(key, b, c);
  for (u32 i = 0; i < kPlaces; ++i) {
    if (line[i].key != key || line[i].b != b || line[i].c != c) continue;
    result = line[i].result;
    if (i != 0) std::swap(line[i], line[i - 1]);
    return true;
  }
  return false;
}

void OperationCache::put(Entry* line, const Entry& entry) {
  line[3] = line[2];
  line[2] = line[1];
  line[1] = entry;
}

void OperationCache::keep(SetOp op, Node a, u32 b, u32 c, Node result) {
  const u32 key = key_of(op, a);
  put(line_of(key, b, c), {key, b, c, result});
}

bool OperationCache::find_count(Node a, WideCount& result) {
  result = WideCount();
  for (u32 word = 0; word < WideCount::kWords; ++word) {
    const u32 key = key_of(count_op(word), a);
    const Entry* e = line_of(key, 0, 0);
    const Entry* const end = e + kPlaces;
    while (e != end && e->key != key) ++e;
    if (e == end) return false;
    result.words[word] = u64{e->b} << 32 | e->c;
    result.over = e->result == kOver;
    if (e->result != kMore) return true;
  }
  return true;
}

void OperationCache::keep_count(Node a, const WideCount& number) {
  u32 last = WideCount::kWords - 1;
  while (last > 0 && number.words[last] == 0) --last;
  for (u32 word = 0; word <= last; ++word) {
    const u32 key = key_of(count_op(word), a);
    const u64 bits = number.words[word];
    const u32 behind = word < last ? kMore : number.over ? kOver : kEnds;
    put(line_of(key, 0, 0), {key, static_cast<u32>(bits >> 32), static_cast<u32>(bits), behind});
  }
}

void OperationCache::clear() {
  for (Entry& e : entries_) e = Entry();
}

std::span<u64> OperationCache::lend() {
  return {reinterpret_cast<u64*>(entries_.data()), entries_.size_bytes() / sizeof(u64)};
}

void OperationCache::keep_marked(const ListNodes& nodes) {
  for (Entry& e : entries_) {
    if (e.key != 0 && !is_alive(nodes, e)) e = Entry();
  }
}

}  // namespace xmc
