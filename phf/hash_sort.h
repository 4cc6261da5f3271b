// Sorting by hash, in place. The hashes are spread evenly: one pass of an American flag sort
// (McIlroy, Bostic, McIlroy: "Engineering Radix Sort", 1993) over the top bits leaves small groups,
// which are sorted by comparison. Equal or crowded hashes only make it slower.
#pragma once

#include <algorithm>
#include <bit>
#include <span>

#include "xmc/types.h"

namespace xmc::phf {

// `T` has hash(), a u64.
template <class T>
void sort_by_hash(std::span<T> items) {
  constexpr u32 kMostBits = 11;
  constexpr u64 kGroup = 64;  // items that a comparison sort is best at
  const auto less = [](const T& a, const T& b) { return a.hash() < b.hash(); };
  const u32 bits =
      std::min<u32>(kMostBits, static_cast<u32>(std::bit_width(items.size() / kGroup)));
  if (bits < 2) {
    std::sort(items.begin(), items.end(), less);
    return;
  }
  const auto digit = [bits](const T& item) { return static_cast<u32>(item.hash() >> (64 - bits)); };
  std::size_t end[1u << kMostBits] = {};
  for (const T& item : items) ++end[digit(item)];
  std::size_t next[1u << kMostBits];
  std::size_t sum = 0;
  for (u32 d = 0; d < 1u << bits; ++d) {
    next[d] = sum;
    sum += end[d];
    end[d] = sum;
  }
  for (u32 d = 0; d < 1u << bits; ++d) {
    while (next[d] != end[d]) {
      // Follows one cycle of the permutation until it comes back to this group.
      T held = items[next[d]];
      for (u32 to = digit(held); to != d; to = digit(held)) std::swap(held, items[next[to]++]);
      items[next[d]++] = held;
    }
  }
  std::size_t begin = 0;
  for (u32 d = 0; d < 1u << bits; ++d) {
    const std::span<T> group = items.subspan(begin, end[d] - begin);
    std::sort(group.begin(), group.end(), less);
    begin = end[d];
  }
}

}  // namespace xmc::phf
