// StateHash: a hash of a state from which the state comes back. It mixes the first word, in as many
// bits as that has in use, with what a hash of the other words makes of it; every step can be
// undone. So a partition, a fingerprint and the rest of the hash are all there is to know about a
// state of one word, and a larger one needs its other words beside them.
//
//   hash = partition (4 bits), rest (rest_bits() of 28), fingerprint (32 bits)
#pragma once

#include <algorithm>

#include "xmc/check.h"
#include "xmc/hash.h"
#include "xmc/types.h"

namespace xmc {

// Of an odd number, modulo 2^64: each step doubles the bits that are right.
constexpr u64 odd_inverse(u64 odd) {
  u64 x = odd;
  for (u32 i = 0; i < 6; ++i) x *= 2 - odd * x;
  return x;
}

class StateHash {
 public:
  static constexpr u32 kPartitionBits = 4;
  static constexpr u32 kPartitions = 1 << kPartitionBits;
  static constexpr u32 kFixedBits = kPartitionBits + 32;

  constexpr StateHash() = default;
  // `bits`: the lowest ones of a single word, all others are zero. Of more words all are used.
  StateHash(u32 words, u32 bits) : words_(words) {
    XMC_CHECK(words >= 1 && bits <= 64);
    if (words > 1) return;
    bits_ = std::max(bits, kFixedBits);
    shift_ = (bits_ + 1) / 2;
    mask_ = ~u64{0} >> (64 - bits_);
  }

  u32 rest_bits() const { return bits_ - kFixedBits; }
  static u32 partition_of(u64 hash) { return static_cast<u32>(hash >> (64 - kPartitionBits)); }

  u64 hash(const Word* state) const {
    u64 x = state[0] ^ others(state);
    XMC_DASSERT((x & ~mask_) == 0);
    x ^= x >> shift_;
    x = x * kFirst & mask_;
    x ^= x >> shift_;
    x = x * kSecond & mask_;
    x ^= x >> shift_;
    const u64 partition = x >> (bits_ - kPartitionBits);
    const u64 below = x & (mask_ >> kPartitionBits);
    return partition << (64 - kPartitionBits) | below;
  }
  // The first word; the others are there.
  void restore(u64 hash, Word* state) const {
    const u64 below = hash & (mask_ >> kPartitionBits);
    u64 x = hash >> (64 - kPartitionBits) << (bits_ - kPartitionBits) | below;
    // A shift by half of the bits or more undoes itself.
    x ^= x >> shift_;
    x = x * kSecondInverse & mask_;
    x ^= x >> shift_;
    x = x * kFirstInverse & mask_;
    x ^= x >> shift_;
    state[0] = x ^ others(state);
  }

 private:
  static constexpr u64 kFirst = 0xBF58'476D'1CE4'E5B9;
  static constexpr u64 kSecond = 0x94D0'49BB'1331'11EB;
  static constexpr u64 kFirstInverse = odd_inverse(kFirst);
  static constexpr u64 kSecondInverse = odd_inverse(kSecond);
  static_assert(kFirst * kFirstInverse == 1 && kSecond * kSecondInverse == 1);
  static constexpr u64 kSeed = 0x7061'7274'6974'696F;  // "partitio"

  u64 others(const Word* state) const {
    if (words_ == 1) return 0;
    return hash_bytes({reinterpret_cast<const u8*>(state + 1), (words_ - 1) * sizeof(Word)}, kSeed);
  }

  u32 words_ = 1;
  u32 bits_ = 64;
  u32 shift_ = 32;
  u64 mask_ = ~u64{0};
};

}  // namespace xmc
