#include "store/tables/cache_table.h"

#include <algorithm>

#include "xmc/bytes.h"
#include "xmc/check.h"

namespace xmc {

namespace {

// Bit i: byte i is zero. Exact, unlike the shorter forms of this.
u32 zero_bytes(u64 v) {
  constexpr u64 kLow = 0x7F7F'7F7F'7F7F'7F7F;
  const u64 high = ~(((v & kLow) + kLow) | v | kLow);
  return static_cast<u32>((high >> 7) * 0x0102'0408'1020'4080 >> 56);
}

}  // namespace

CacheTable::Tags CacheTable::scan_tags(const u8* tags, u8 tag) {
  const u64 wanted = tag * 0x0101'0101'0101'0101u;
  const u64 low = load_le<u64>(tags);
  const u64 high = load_le<u64>(tags + 8);
  const u32 empty = zero_bytes(low) | zero_bytes(high) << 8;
  return {zero_bytes(low ^ wanted) | zero_bytes(high ^ wanted) << 8,
          static_cast<u32>(__builtin_ctz(empty | 1u << 16))};
}

void CacheTable::init(std::span<u8> region, u32 state_words, u32 state_bytes) {
  words_ = state_words;
  bytes_ = std::max(state_bytes, 1u);
  last_word_ = (bytes_ - 1) / 8;
  last_mask_ = ~Word{0} >> (8 * (8 * (last_word_ + 1) - bytes_));
  base_ = region.data();
  set_bytes_ = kWays * (1 + bytes_);
  filter_ = {};
  // The last slot is read as whole words, too.
  const u64 room = region.size() - std::min<u64>(region.size(), sizeof(Word));
  sets_ = static_cast<u32>(std::min<u64>(room / set_bytes_, u64{1} << 31));
  XMC_CHECK(sets_ > 0);
  sampling_ = false;
  insertions_ = collisions_ = repeats_ = first_ones_ = 0;
  for (u32 s = 0; s < sets_; ++s) {
    fill_zero(region.subspan(std::size_t{s} * set_bytes_, kWays));
  }
}

bool CacheTable::same(const u8* slot, const Word* state) const {
  for (u32 w = 0; w < last_word_; ++w) {
    if (load_le<u64>(slot + 8 * w) != state[w]) return false;
  }
  return (load_le<u64>(slot + 8 * last_word_) & last_mask_) == state[last_word_];
}

void CacheTable::note_slot(const u8* slot) {
  Word state[limits::kStateWords];
  state[last_word_] = 0;  // it has padding
  copy(std::span<u8>(reinterpret_cast<u8*>(state), bytes_), std::span<const u8>(slot, bytes_));
  note_forgotten(state);
}

void CacheTable::note_sample(u32 fingerprint) {
  if (!sample_.covers(fingerprint)) return;
  if (sample_.has(fingerprint)) {
    repeats_ += sample_.factor();
  } else {
    first_ones_ += sample_.factor();
    sample_.add(fingerprint);
  }
}

bool CacheTable::insert_one(const Word* state, u64 hash, u8* set, const Tags& tags) {
  for (u32 match = tags.match; match != 0; match &= match - 1) {
    if (same(slot_of(set, static_cast<u32>(__builtin_ctz(match))), state)) return false;
  }
  ++insertions_;
  if (sampling_) note_sample(static_cast<u32>(hash));
  u32 way = tags.empty;
  if (way == kWays) {
    ++collisions_;
    way = static_cast<u32>(insertions_ * 0x9E37'79B9u >> 16) % kWays;
    if (!filter_.empty()) note_slot(slot_of(set, way));
  }
  set[way] = tag_of(hash);
  copy(std::span<u8>(slot_of(set, way), bytes_),
       std::span<const u8>(reinterpret_cast<const u8*>(state), bytes_));
  return true;
}

// Three rounds, so that cache misses overlap: of the tags, of the slots, and what is sure. A set's
// tags are read again if a state of this batch went there, or looks so.
u64 CacheTable::insert(const Word* states, u32 count) {
  XMC_DASSERT(count <= kBatch);
  u64 hashes[kBatch];
  u32 sets[kBatch];
  Tags tags[kBatch];
  for (u32 i = 0; i < count; ++i) {
    hashes[i] = hash_of(states + u64{i} * words_);
    sets[i] = set_of(hashes[i]);
    __builtin_prefetch(set_at(sets[i]), 1);
  }
  for (u32 i = 0; i < count; ++i) {
    u8* const set = set_at(sets[i]);
    tags[i] = scan_tags(set, tag_of(hashes[i]));
    const u32 match = static_cast<u32>(__builtin_ctz(tags[i].match | 1u << 16));
    __builtin_prefetch(slot_of(set, std::min(match, tags[i].empty) % kWays), 1);
  }
  u64 fresh = 0;
  u64 changed = 0;  // a bit for some of the sets each
  for (u32 i = 0; i < count; ++i) {
    u8* const set = set_at(sets[i]);
    const u64 bit = u64{1} << sets[i] % 64;
    if ((changed & bit) != 0) tags[i] = scan_tags(set, tag_of(hashes[i]));
    if (!insert_one(states + u64{i} * words_, hashes[i], set, tags[i])) continue;
    fresh |= u64{1} << i;
    changed |= bit;
  }
  return fresh;
}

}  // namespace xmc
