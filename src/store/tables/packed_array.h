// PackedArray: small numbers of one width, side by side, in memory that the owner gives.
#pragma once

#include <span>

#include "xmc/bytes.h"
#include "xmc/check.h"
#include "xmc/types.h"

namespace xmc {

class PackedArray {
 public:
  // One word more than needed, so that two can always be looked at.
  static u64 bytes_for(u64 count, u32 bits) {
    return (divide_up(count * bits, 64) + 1) * sizeof(u64);
  }

  // All zero. `memory` is 8-byte aligned; at most 32 bits.
  void start(std::span<u8> memory, u64 count, u32 bits) {
    XMC_CHECK(bits <= 32 && memory.size() >= bytes_for(count, bits));
    words_ = {reinterpret_cast<u64*>(memory.data()),
              static_cast<std::size_t>(bytes_for(count, bits) / sizeof(u64))};
    bits_ = bits;
    fill_zero(words_);
  }

  u32 get(u64 i) const {
    const u64 at = i * bits_;
    const std::size_t w = static_cast<std::size_t>(at / 64);
    const u32 shift = static_cast<u32>(at % 64);
    u64 value = words_[w] >> shift;
    if (shift + bits_ > 64) value |= words_[w + 1] << (64 - shift);
    return static_cast<u32>(value & ((u64{1} << bits_) - 1));
  }
  // Of a number that is zero.
  void set(u64 i, u32 value) {
    const u64 at = i * bits_;
    const std::size_t w = static_cast<std::size_t>(at / 64);
    const u32 shift = static_cast<u32>(at % 64);
    words_[w] |= u64{value} << shift;
    if (shift + bits_ > 64) words_[w + 1] |= u64{value} >> (64 - shift);
  }
  void replace(u64 i, u32 value) {
    const u64 at = i * bits_;
    const std::size_t w = static_cast<std::size_t>(at / 64);
    const u32 shift = static_cast<u32>(at % 64);
    const u64 mask = (u64{1} << bits_) - 1;
    words_[w] &= ~(mask << shift);
    if (shift + bits_ > 64) words_[w + 1] &= ~(mask >> (64 - shift));
    set(i, value);
  }
  void clear_all() { fill_zero(words_); }

 private:
  std::span<u64> words_;
  u32 bits_ = 0;
};

}  // namespace xmc
