// Words that are coded by the few of their bytes that are not zero: which those are, moving them to
// the low end, and back. Without a branch for each byte, because which ones it is is as good as
// random: three moves, by 1, 2 and 4 bytes, whose masks are in a table (Warren, "Hacker's Delight",
// section 7-4, compress).
#pragma once

#include <bit>

#include "xmc/types.h"

namespace xmc {

// Bit b of the result: byte b of the word is not zero.
inline u32 byte_mask(u64 word) {
  constexpr u64 kLow7 = 0x7F7F'7F7F'7F7F'7F7Fu;
  const u64 high = ((word & kLow7) + kLow7) | word;
  const u64 bits = (high & ~kLow7) >> 7;
  return static_cast<u32>((bits * 0x0102'0408'1020'4080u) >> 56);
}

// For every mask.
struct ByteMoves {
  struct Moves {
    u64 by[3] = {};
    u64 bytes = 0;  // the mask itself, a byte for each bit
  };
  Moves of[256] = {};
  u8 count[256] = {};  // where the next mask is depends on it: a load is quicker than to count
  constexpr ByteMoves();
};

constexpr ByteMoves::ByteMoves() {
  const auto widen = [](u32 mask) {
    u64 bytes = 0;
    for (u32 b = 0; b < 8; ++b) bytes |= (mask >> b & 1) != 0 ? u64{0xFF} << (8 * b) : 0;
    return bytes;
  };
  for (u32 mask = 0; mask < 256; ++mask) {
    count[mask] = static_cast<u8>(std::popcount(mask));
    of[mask].bytes = widen(mask);
    u32 left = mask;
    u32 gaps = ~mask << 1 & 0xFF;
    for (u32 i = 0; i < 3; ++i) {
      u32 odd = gaps ^ gaps << 1;
      odd ^= odd << 2;
      odd = (odd ^ odd << 4) & 0xFF;  // an odd number of gaps lies below
      const u32 move = odd & left;
      of[mask].by[i] = widen(move);
      left = (left ^ move) | move >> (1 << i);
      gaps &= ~odd;
    }
  }
}

inline constexpr ByteMoves kByteMoves;

// The bytes of a mask, packed; the others are zero in the result.
inline u64 gather_bytes(u64 word, u32 mask) {
  const ByteMoves::Moves& moves = kByteMoves.of[mask];
  word &= moves.bytes;
  for (u32 i = 0; i < 3; ++i) {
    const u64 moving = word & moves.by[i];
    word = (word ^ moving) | moving >> (8 << i);
  }
  return word;
}

// Packed bytes, back to where the mask has them. What lies above them is ignored.
inline u64 spread_bytes(u64 packed, u32 mask) {
  const ByteMoves::Moves& moves = kByteMoves.of[mask];
  for (u32 i = 3; i-- > 0;) {
    packed = (packed & ~moves.by[i]) | (packed << (8 << i) & moves.by[i]);
  }
  return packed & moves.bytes;
}

}  // namespace xmc
