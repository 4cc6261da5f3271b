#include "store/symbolic/operation_cache.h"

#include <utility>

#include "xmc/check.h"

namespace xmc {

namespace {

constexpr u32 kNodeMask = (1u << ListNodes::kNodeBits) - 1;

bool is_alive(const ListNodes& nodes, const OperationCache::Entry& e) {
  if (!nodes.is_marked(e.key & kNodeMask)) return false;
  switch (static_cast<SetOp>(e.key >> ListNodes::kNodeBits)) {
    case SetOp::count:
      return true;
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

bool OperationCache::find_count(Node a, Entry& result) {
  const u32 key = key_of(SetOp::count, a);
  Entry* const line = line_of(key, 0, 0);
  for (u32 i = 0; i < kPlaces; ++i) {
    if (line[i].key != key) continue;
    result = line[i];
    return true;
  }
  return false;
}

void OperationCache::keep_count(Node a, const Entry& result) {
  const u32 key = key_of(SetOp::count, a);
  put(line_of(key, 0, 0), {key, result.b, result.c, result.result});
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
