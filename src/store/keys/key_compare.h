// The order of keys: word by word, the first one most significant, as in sort_keys.h.
#pragma once

#include "xmc/types.h"

namespace xmc {

// W is the number of words where the compiler may know it, 0 where it is `words`.
template <u32 W = 0>
inline bool key_less(const Word* a, const Word* b, u32 words) {
  if constexpr (W != 0) words = W;
  if constexpr (W == 2) {  // without a branch
    const u32 high = a[0] < b[0] ? 1 : 0;
    const u32 low = a[1] < b[1] ? 1 : 0;
    return (high | ((a[0] == b[0] ? 1u : 0u) & low)) != 0;
  }
  for (u32 w = 0; w + 1 < words; ++w) {
    if (a[w] != b[w]) return a[w] < b[w];
  }
  return a[words - 1] < b[words - 1];
}

template <u32 W = 0>
inline bool key_equal(const Word* a, const Word* b, u32 words) {
  if constexpr (W != 0) words = W;
  for (u32 w = words; w-- > 0;) {  // neighbours differ at the low end
    if (a[w] != b[w]) return false;
  }
  return true;
}

template <u32 W = 0>
inline void copy_key(Word* to, const Word* from, u32 words) {
  if constexpr (W != 0) words = W;
  for (u32 w = 0; w < words; ++w) to[w] = from[w];
}

}  // namespace xmc
