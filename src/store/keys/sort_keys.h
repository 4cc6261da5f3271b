// Sorting of multi-word keys, most significant word first.
#pragma once

#include "xmc/types.h"

namespace xmc {

class Parallel;

// Sorts `count` keys of `words` words; `other` is scratch of the same size. Returns where the
// result is: `keys` or `other`. Least-significant-digit radix sort over the bits that vary, in
// windows of 11 (23 ns per key where std::sort took 66); where that would be too many passes, by
// comparison within shares of equal first bits. Passes use other threads, if there are any.
Word* sort_keys(Word* keys, Word* other, u32 count, u32 words, Parallel* parallel = nullptr);

}  // namespace xmc
