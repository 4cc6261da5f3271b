// The hash of a packed state: XXH3-64 of its words with a seed, the same value on every target.
#pragma once

#define XXH_INLINE_ALL
#define XXH_NO_STREAM
// By memcpy: the default of 0.8.1 reads words through a packed union, which gcc's alias analysis
// takes for unrelated to the stores that made the state.
#define XXH_FORCE_MEMORY_ACCESS 0
#include <xxhash.h>

#include <span>

#include "xmc/types.h"

namespace xmc {

inline constexpr u64 kDefaultSeed = 0x786D'632D'6C69'7465;  // "xmc-lite"

inline u64 hash_bytes(std::span<const u8> bytes, u64 seed = kDefaultSeed) {
  return XXH3_64bits_withSeed(bytes.data(), bytes.size(), seed);
}

inline u64 hash_words(const Word* words, u32 count, u64 seed = kDefaultSeed) {
  return hash_bytes({reinterpret_cast<const u8*>(words), count * sizeof(Word)}, seed);
}

}  // namespace xmc
