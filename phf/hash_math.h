// Arithmetic on hashes: the same integers on every target.
#pragma once

#include "xmc/types.h"

namespace xmc::phf {

struct Product {
  u64 high;
  u64 low;
};

// The 128-bit product of two words.
inline Product multiply_wide(u64 a, u64 b) {
#ifdef __SIZEOF_INT128__
  __extension__ using Wide = unsigned __int128;
  const Wide product = Wide{a} * b;
  return {static_cast<u64>(product >> 64), static_cast<u64>(product)};
#else
  const u64 a0 = static_cast<u32>(a), a1 = a >> 32;
  const u64 b0 = static_cast<u32>(b), b1 = b >> 32;
  const u64 low = a0 * b0;
  const u64 middle = a1 * b0 + (low >> 32);
  const u64 other = a0 * b1 + static_cast<u32>(middle);
  return {a1 * b1 + (middle >> 32) + (other >> 32), other << 32 | static_cast<u32>(low)};
#endif
}

// A bijection that spreads every bit (the finisher of MurmurHash3): equal only for equal words.
inline u64 mix(u64 x) {
  x ^= x >> 33;
  x *= 0xff51afd7ed558ccd;
  x ^= x >> 33;
  x *= 0xc4ceb9fe1a85ec53;
  return x ^ x >> 33;
}

// Which of `pages` pages a hash belongs to, and where in it: `share` is its place among the hashes
// of that page, as a fraction of 2^64. Both grow with the hash, so hashes in order are pages in
// order.
struct PagePlace {
  u64 page;
  u64 share;
};
inline PagePlace page_place(u64 hash, u64 pages) {
  const Product product = multiply_wide(hash, pages);
  return {product.high, product.low};
}

// The part of the share that a page's threshold is compared with.
inline u32 step_of(u64 share) { return static_cast<u32>(share >> 56); }
inline constexpr u32 kSteps = 256;

// A layer takes the keys that the one before it had no room for; they lie at the ends of that
// layer's pages, so they are spread anew.
inline u64 next_layer(u64 hash) { return mix(hash + 0x9e3779b97f4a7c15); }

inline u32 square_root(u64 x) {
  u64 root = 0;
  for (u64 bit = u64{1} << 31; bit != 0; bit >>= 1) {
    if ((root | bit) * (root | bit) <= x) root |= bit;
  }
  return static_cast<u32>(root);
}

}  // namespace xmc::phf
