// FingerprintFilter: which fingerprints of 32 bits are certainly not among those that were added. A
// blocked Bloom filter: one word of 64 bits for a fingerprint, three bits in it, so that a question
// is one access to memory. At 16 bits for each one it takes 1% of strangers for members.
#pragma once

#include <algorithm>
#include <span>

#include "xmc/bytes.h"
#include "xmc/check.h"
#include "xmc/types.h"

namespace xmc {

class FingerprintFilter {
 public:
  static constexpr u32 kBitsPerKey = 16;

  // Empty, for this many keys; uses only as much of the memory as they want.
  void start(std::span<u64> memory, u64 keys) {
    const u64 wanted = keys * kBitsPerKey / 64 + 1;
    words_ = memory.first(static_cast<std::size_t>(std::min<u64>(memory.size(), wanted)));
    XMC_CHECK(!words_.empty());
    fill_zero(words_);
  }
  void add(u32 fingerprint) { words_[place(fingerprint)] |= bits(fingerprint); }
  bool may_have(u32 fingerprint) const {
    const u64 wanted = bits(fingerprint);
    return (words_[place(fingerprint)] & wanted) == wanted;
  }

 private:
  std::size_t place(u32 fingerprint) const {
    return static_cast<std::size_t>(u64{fingerprint} * words_.size() >> 32);
  }
  static u64 bits(u32 fingerprint) {
    return u64{1} << (fingerprint & 63) | u64{1} << (fingerprint >> 6 & 63) |
           u64{1} << (fingerprint >> 12 & 63);
  }

  std::span<u64> words_;
};

}  // namespace xmc
