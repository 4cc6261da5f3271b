#include "store/cache_table.h"

#include <algorithm>

#include "xmc/bytes.h"
#include "xmc/check.h"

namespace xmc {

void CacheTable::init(std::span<u8> region, u32 state_words, u32 state_bytes) {
  words_ = state_words;
  bytes_ = std::max(state_bytes, 1u);
  base_ = region.data();
  set_bytes_ = kWays * (1 + bytes_);
  filter_ = {};
  sets_ = static_cast<u32>(std::min<u64>(region.size() / set_bytes_, u64{1} << 31));
  XMC_CHECK(sets_ > 0);
  insertions_ = collisions_ = 0;
  for (u32 s = 0; s < sets_; ++s) {
    fill_zero(region.subspan(std::size_t{s} * set_bytes_, kWays));
  }
}

bool CacheTable::same(const u8* slot, const Word* state) const {
  return equal({slot, bytes_}, {reinterpret_cast<const u8*>(state), bytes_});
}

void CacheTable::store(u8* slot, const Word* state) const {
  copy(std::span<u8>(slot, bytes_),
       std::span<const u8>(reinterpret_cast<const u8*>(state), bytes_));
}

void CacheTable::note_slot(const u8* slot) {
  Word state[limits::kStateWords] = {};
  copy(std::span<u8>(reinterpret_cast<u8*>(state), bytes_), std::span<const u8>(slot, bytes_));
  note_forgotten(state);
}

bool CacheTable::insert_one(const Word* state, u64 hash) {
  u8* const tags = set_of(hash);
  u8* const slots = tags + kWays;
  const u8 tag = static_cast<u8>(hash | 1);
  u32 empty = kWays;
  for (u32 way = 0; way < kWays; ++way) {
    if (tags[way] == tag && same(slots + way * bytes_, state)) return false;
    if (tags[way] == 0) {
      empty = way;
      break;
    }
  }
  ++insertions_;
  if (empty == kWays) {
    ++collisions_;
    empty = static_cast<u32>(insertions_ * 0x9E37'79B9u >> 16) % kWays;
    if (!filter_.empty()) note_slot(slots + empty * bytes_);
  }
  tags[empty] = tag;
  store(slots + empty * bytes_, state);
  return true;
}

u64 CacheTable::insert(const Word* states, u32 count) {
  XMC_DASSERT(count <= kBatch);
  u64 hashes[kBatch];
  for (u32 i = 0; i < count; ++i) {
    const Word* const state = states + u64{i} * words_;
    hashes[i] = hash_of(state);
    __builtin_prefetch(set_of(hashes[i]), 1);
  }
  u64 fresh = 0;
  for (u32 i = 0; i < count; ++i) {
    if (insert_one(states + u64{i} * words_, hashes[i])) fresh |= u64{1} << i;
  }
  return fresh;
}

}  // namespace xmc
