// CacheTable: states in sets of sixteen slots. A new state takes an empty slot of its set; when
// there is none it replaces another one, which is forgotten (Tronci, Della Penna, Intrigila and
// Venturini Zilli, "Exploiting Transition Locality in Automatic Verification", 2001, with sets of
// one slot; sixteen fill to nine tenths before one state in fifty is forgotten).
//
//   set = sixteen tags of a byte (0: empty), sixteen states
#pragma once

#include <span>

#include "xmc/types.h"

namespace xmc {

class CacheTable {
 public:
  static constexpr u32 kBatch = 64;

  static u64 bytes_for(u64 states, u32 state_bytes) {
    return (states + kWays - 1) / kWays * kWays * (1 + u64{state_bytes}) + 64;
  }
  // Empty; pages are touched as they are needed.
  void init(std::span<u8> region, u32 state_words, u32 state_bytes);

  // Looks up `count` states, at most kBatch, and keeps those that are not there. Bit i of the
  // result: state i was not there.
  u64 insert(const Word* states, u32 count);

  u64 slots() const { return u64{sets_} * kWays; }
  u64 insertions() const { return insertions_; }  // of states that were not there
  u64 collisions() const { return collisions_; }  // of those, the ones that replaced another
  void set_counts(u64 insertions, u64 collisions) {
    insertions_ = insertions;
    collisions_ = collisions;
  }

 private:
  static constexpr u32 kWays = 16;

  bool insert_one(const Word* state, u64 hash);
  u8* set_of(u64 hash) const {
    return base_ + static_cast<std::size_t>((hash >> 32) * sets_ >> 32) * set_bytes_;
  }
  bool same(const u8* slot, const Word* state) const;
  void store(u8* slot, const Word* state) const;

  u8* base_ = nullptr;
  u32 sets_ = 0;
  u32 set_bytes_ = 0;
  u32 words_ = 0;
  u32 bytes_ = 0;
  u64 insertions_ = 0;
  u64 collisions_ = 0;
};

}  // namespace xmc
