// Signatures: hash compaction. A table then holds some bits of a hash instead of the state (Wolper
// and Leroy; Stern and Dill, "Improved Probabilistic Verification by Hash Compaction", 1995). Two
// states with one signature are taken for the same: the one that comes later is left out, with all
// that is reached only through it. A violation that is found is real; that none was found proves
// nothing.
#pragma once

#include <cmath>

#include "xmc/check.h"
#include "xmc/hash.h"
#include "xmc/types.h"

namespace xmc {

class Signature {
 public:
  static constexpr u32 kMostBits = 128;
  static constexpr u32 kMostWords = 2;

  constexpr Signature() = default;  // none: states are kept whole
  // The command line allows no less than 40; tests want omissions.
  explicit Signature(u32 bits) : bits_(bits) { XMC_CHECK(bits <= kMostBits); }

  bool on() const { return bits_ != 0; }
  u32 words() const { return (bits_ + 63) / 64; }
  u32 bytes() const { return (bits_ + 7) / 8; }

  // Of `count` states of `state_words` words each. The hash is independent of those that choose a
  // place in a table (of the signature's own bits) and a partition.
  void of(const Word* states, u32 count, u32 state_words, Word* out) const {
    constexpr u64 kSeed = 0x7369'676E'6174'7572;  // "signatur"
    const u32 low_bits = bits_ < 64 ? bits_ : 64;
    const u64 low_mask = ~u64{0} >> (64 - low_bits);
    const u64 high_mask = bits_ <= 64 ? 0 : ~u64{0} >> (128 - bits_);
    for (u32 i = 0; i < count; ++i) {
      const XXH128_hash_t hash =
          XXH3_128bits_withSeed(states + u64{i} * state_words, state_words * sizeof(Word), kSeed);
      *out++ = hash.low64 & low_mask;
      if (bits_ > 64) *out++ = hash.high64 & high_mask;
    }
  }

  // A bound for the probability that a search that found `states` states left one out, for a hash
  // whose values are random: each of the n (n - 1) / 2 pairs has one signature with probability
  // 2^-bits, and some pair has at most with the sum of these (the union bound).
  double omission_bound(u64 states) const {
    const double n = static_cast<double>(states);
    const double bound = std::ldexp(states == 0 ? 0 : n * (n - 1) / 2, -static_cast<int>(bits_));
    return bound < 1 ? bound : 1;
  }

 private:
  u32 bits_ = 0;
};

}  // namespace xmc
