// FingerprintFilter: which fingerprints of 32 bits are certainly not among those that were added. A
// blocked Bloom filter: one word of 64 bits for a fingerprint, four bits in it, so that a question
// is one access to memory. With a word for each member it takes 2 strangers in 10,000 for members,
// with a quarter of one 1%.
#pragma once

#include <algorithm>
#include <span>

#include "xmc/bytes.h"
#include "xmc/check.h"
#include "xmc/hash.h"
#include "xmc/types.h"

namespace xmc {

class FingerprintFilter {
 public:
  // Of a state, where nothing else gives one.
  static u32 of(const Word* state, u32 words) { return static_cast<u32>(hash_words(state, words)); }

  // Empty, for this many keys; uses a word for each of them, if there are so many.
  void start(std::span<u64> memory, u64 keys) {
    XMC_CHECK(!memory.empty());
    words_ = memory.first(static_cast<std::size_t>(std::min<u64>(memory.size(), keys + 1)));
    fill_zero(words_);
  }
  // The filter whose words were moved there.
  void move_to(std::span<u64> memory) { words_ = memory.first(words_.size()); }
  std::size_t words() const { return words_.size(); }
  void add(u32 fingerprint) { word(fingerprint) |= bits(fingerprint); }
  void prefetch(u32 fingerprint) const { __builtin_prefetch(&word(fingerprint)); }
  bool may_have(u32 fingerprint) const {
    const u64 wanted = bits(fingerprint);
    return (word(fingerprint) & wanted) == wanted;
  }
  // The same by one of the bits, as 0 or 1: for most strangers enough.
  u32 may_have_quick(u32 fingerprint) const {
    return static_cast<u32>(word(fingerprint) >> (fingerprint & 63)) & 1;
  }

 private:
  u64& word(u32 fingerprint) const {
    return words_[static_cast<std::size_t>(u64{fingerprint} * words_.size() >> 32)];
  }
  // The upper bits choose the word, so three of these come from all of them.
  static u64 bits(u32 fingerprint) {
    const u64 mixed = fingerprint * u64{0x9E37'79B9'7F4A'7C15} >> 32;
    return u64{1} << (fingerprint & 63) | u64{1} << (mixed & 63) | u64{1} << (mixed >> 6 & 63) |
           u64{1} << (mixed >> 12 & 63);
  }

  std::span<u64> words_;
};

}  // namespace xmc
