// BitSet: one bit for each of many numbers, in memory that the owner gives.
#pragma once

#include <span>

#include "xmc/bytes.h"
#include "xmc/check.h"
#include "xmc/types.h"

namespace xmc {

class BitSet {
 public:
  static u64 bytes_for(u64 bits) { return divide_up(bits, 64) * sizeof(u64); }

  // All clear. `memory` is 8-byte aligned.
  void start(std::span<u8> memory, u64 bits) {
    XMC_CHECK(memory.size() >= bytes_for(bits));
    words_ = {reinterpret_cast<u64*>(memory.data()), static_cast<std::size_t>(divide_up(bits, 64))};
    clear();
  }
  void clear() { fill_zero(words_); }

  bool has(u64 i) const { return (word(i) >> (i % 64) & 1) != 0; }
  // Whether it was not there.
  bool add(u64 i) {
    const u64 bit = u64{1} << (i % 64);
    const bool fresh = (word(i) & bit) == 0;
    word(i) |= bit;
    return fresh;
  }
  void remove(u64 i) { word(i) &= ~(u64{1} << (i % 64)); }
  // All bits, for a checkpoint.
  std::span<u64> words() { return words_; }
  void prefetch(u64 i) const { __builtin_prefetch(&word(i)); }

 private:
  u64& word(u64 i) const { return words_[static_cast<std::size_t>(i / 64)]; }

  std::span<u64> words_;
};

}  // namespace xmc
