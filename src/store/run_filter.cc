#include "store/run_filter.h"

#include <algorithm>
#include <bit>

#include "store/key_compare.h"

namespace xmc {

namespace {

// The first key from i on whose bit is set, or `count`.
u32 next_fresh(const u64* fresh, u32 i, u32 count) {
  if (i >= count) return count;
  u64 bits = fresh[i / 64] >> (i % 64);
  if (bits != 0) return std::min(count, i + static_cast<u32>(std::countr_zero(bits)));
  for (u32 w = i / 64 + 1; u64{w} * 64 < count; ++w) {
    if (fresh[w] != 0)
      return std::min(count, w * 64 + static_cast<u32>(std::countr_zero(fresh[w])));
  }
  return count;
}

// Compares keys [i, count) with those of a run until one of the two ends. Returns the first key
// that is greater than all of the run's. One word: without branches that depend on the keys, since
// which of two is less is as good as random.
template <u32 W>
u32 match(const Word* run, u32 run_count, const Word* keys, u32 i, u32 count, u32 words, u64* fresh,
          u64& hits) {
  if constexpr (W != 0) words = W;
  const Word* const run_end = run + static_cast<std::size_t>(run_count) * words;
  const Word* key = keys + static_cast<std::size_t>(i) * words;
  while (i < count && run != run_end) {
    u64& bits = fresh[i / 64];
    const u32 end = std::min(count, (i | 63) + 1);
    u64 known = 0;
    while (i < end && run != run_end) {
      bool equal = false;
      bool less = false;
      if constexpr (W == 1) {
        equal = *key == *run;
        less = *key < *run;
      } else {
        less = key_less<W>(key, run, words);
        equal = !less && key_equal<W>(key, run, words);
      }
      const u32 key_step = less || equal ? 1 : 0;
      known |= u64{equal} << (i & 63);
      i += key_step;
      key += key_step * words;
      run += less ? 0 : words;
    }
    hits += static_cast<u64>(std::popcount(known & bits));
    bits &= ~known;
  }
  return i;
}

template <u32 W>
Status drop(RunReader& reader, const Word* keys, u32 count, u64* fresh, u64& hits) {
  const u32 words = reader.run().words;
  u32 i = next_fresh(fresh, 0, count);
  while (i < count) {
    const Word* found = nullptr;
    u32 found_count = 0;
    XMC_TRY(reader.look(keys + static_cast<std::size_t>(i) * words, found, found_count));
    if (reader.exhausted()) break;
    i = found_count == 0 ? i + 1 : match<W>(found, found_count, keys, i, count, words, fresh, hits);
    i = next_fresh(fresh, i, count);
  }
  return {};
}

}  // namespace

Status drop_known(RunReader& reader, const Word* keys, u32 count, u64* fresh, u64* hits) {
  if (reader.run().words == 1) return drop<1>(reader, keys, count, fresh, *hits);
  if (reader.run().words == 2) return drop<2>(reader, keys, count, fresh, *hits);
  return drop<0>(reader, keys, count, fresh, *hits);
}

}  // namespace xmc
