// Fields of up to 32 bits at any bit of a page, the lowest bit first.
#pragma once

#include <bit>
#include <span>

#include "xmc/bytes.h"
#include "xmc/check.h"
#include "xmc/types.h"

namespace xmc::phf {

inline u32 bits_for(u64 most) { return static_cast<u32>(std::bit_width(most)); }

// Bytes behind the end of `bytes` count as zero.
inline u32 read_bits(std::span<const u8> bytes, u32 at, u32 width) {
  XMC_DASSERT(width <= 32);
  const u32 byte = at / 8;
  u64 word = 0;
  if (byte + 8 <= bytes.size()) {
    word = load_le<u64>(bytes.data() + byte);
  } else {
    for (u32 i = byte; i < bytes.size(); ++i) word |= u64{bytes[i]} << (8 * (i - byte));
  }
  return static_cast<u32>(word >> (at % 8) & ((u64{1} << width) - 1));
}

// The field must be zero before.
inline void write_bits(std::span<u8> bytes, u32 at, u32 width, u32 value) {
  XMC_DASSERT(width == 32 || value >> width == 0);
  u64 word = u64{value} << (at % 8);
  for (u32 byte = at / 8; word != 0; ++byte, word >>= 8) {
    XMC_CHECK(byte < bytes.size());
    bytes[byte] = static_cast<u8>(bytes[byte] | (word & 0xFF));
  }
}

}  // namespace xmc::phf
