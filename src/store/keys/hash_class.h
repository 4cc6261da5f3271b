// Classes of states by a second hash, independent of the one that the tables use: partitions, and
// passes over a file that take a part of the states each.
#pragma once

#include <span>

#include "xmc/hash.h"
#include "xmc/types.h"

namespace xmc {

inline constexpr u64 kClassSeed = 0x7061'7274'6974'696F;  // "partitio"

inline u64 class_hash(const Word* state, u32 words) { return hash_words(state, words, kClassSeed); }

// 0 .. classes - 1, by the high bits.
inline u32 class_of(u64 hash, u32 classes) {
  return static_cast<u32>((hash >> 32) * classes >> 32);
}

inline u32 hash_class(const Word* state, u32 words, u32 classes) {
  return classes == 1 ? 0 : class_of(class_hash(state, words), classes);
}

}  // namespace xmc
