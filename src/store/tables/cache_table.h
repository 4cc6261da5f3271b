// CacheTable: states in sets of sixteen slots. A new state takes an empty slot of its set; when
// there is none it replaces another one, which is forgotten (Tronci, Della Penna, Intrigila and
// Venturini Zilli, "Exploiting Transition Locality in Automatic Verification", 2001, with sets of
// one slot; sixteen fill to nine tenths before one state in fifty is forgotten).
//
//   set = sixteen tags of a byte (0: empty), sixteen states
//
// Only a state that was forgotten can be met as a new one again: a filter may know which were, and
// a sample of all states tells how many came again.
#pragma once

#include <algorithm>
#include <span>

#include "store/tables/fingerprint_filter.h"
#include "store/tables/fingerprint_sample.h"
#include "xmc/hash.h"
#include "xmc/limits.h"
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
  // Before any state is inserted: where to keep the filter, if it is wanted.
  void set_filter(std::span<u64> memory) {
    filter_ = memory;
    forgotten_.start(memory, memory.size());
    noted_ = 0;
  }
  // The same for the sample, which takes a power of two of slots and half as many to spare.
  void set_sample(std::span<u32> slots, std::span<u32> spare) {
    sample_.start(slots, spare);
    sampling_ = true;
  }

  // Looks up `count` states, at most kBatch, and keeps those that are not there. Bit i of the
  // result: state i was not there.
  u64 insert(const Word* states, u32 count);

  u64 slots() const { return u64{sets_} * kWays; }
  u64 insertions() const { return insertions_; }  // of states that were not there
  u64 collisions() const { return collisions_; }  // of those, the ones that replaced another
  // Of those, about, the ones that came again, and those that came for the first time.
  u64 repeats() const { return repeats_; }
  u64 first_ones() const { return first_ones_; }
  // Has every state that was forgotten.
  const FingerprintFilter& forgotten() const { return forgotten_; }
  // So many, at most, that were, or look so, among `states` different ones.
  u64 most_forgotten(u64 states) const {
    const bool roomy = filter_.size() * sizeof(u64) >= 2 * noted_;
    return roomy ? std::min(states, noted_ + states / 8) : states;
  }
  // Another table had forgotten this state.
  void note_forgotten(const Word* state) {
    if (filter_.empty()) return;
    forgotten_.add(FingerprintFilter::of(state, words_));
    ++noted_;
  }
  void set_counts(u64 insertions, u64 collisions) {
    insertions_ = insertions;
    collisions_ = collisions;
  }

 private:
  static constexpr u32 kWays = 16;

  // Which of a set's tags are the wanted one, and the first of them that is empty, or kWays. Slots
  // fill in order, so nothing is behind an empty one.
  struct Tags {
    u32 match = 0;
    u32 empty = 0;
  };
  static Tags scan_tags(const u8* tags, u8 tag);
  u64 hash_of(const Word* state) const { return hash_words(state, words_); }
  static u8 tag_of(u64 hash) { return static_cast<u8>(hash % 255 + 1); }
  void note_slot(const u8* slot);
  void note_sample(u32 fingerprint);
  bool insert_one(const Word* state, u64 hash, u8* set, const Tags& tags);
  u32 set_of(u64 hash) const { return static_cast<u32>((hash >> 32) * sets_ >> 32); }
  u8* set_at(u32 number) const { return base_ + std::size_t{number} * set_bytes_; }
  u8* slot_of(u8* set, u32 way) const { return set + kWays + way * bytes_; }
  bool same(const u8* slot, const Word* state) const;

  FingerprintFilter forgotten_;
  FingerprintSample sample_;
  bool sampling_ = false;
  std::span<u64> filter_;
  u64 noted_ = 0;  // states that the filter has; one may be noted again
  u8* base_ = nullptr;
  u32 sets_ = 0;
  u32 set_bytes_ = 0;
  u32 words_ = 0;
  u32 bytes_ = 0;
  u32 last_word_ = 0;   // of a slot
  Word last_mask_ = 0;  // what of it is the slot's own
  u64 insertions_ = 0;
  u64 collisions_ = 0;
  u64 repeats_ = 0;
  u64 first_ones_ = 0;
};

}  // namespace xmc
