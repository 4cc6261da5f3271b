#include "store/runs/run_filter.h"

#include <algorithm>
#include <bit>

#include "store/keys/key_compare.h"

namespace xmc {

namespace {

// Up to so many keys among those of a mini are searched for one by one.
constexpr u32 kFew = 4;

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

// Compares keys [i, count) with those of a run, step by step in both, until one of the two ends.
// Returns the first key that is greater than all of the run's. For one word it has no branch that
// depends on the keys, since which of two is less is as good as random.
template <u32 W>
u32 match(const Word* run, u32 run_count, const Word* keys, u32 i, u32 count, u32 words, u64* fresh,
          u64& hits) {
  if constexpr (W != 0) words = W;
  for (u32 r = 0; i < count && r < run_count;) {
    u64& bits = fresh[i / 64];
    const u32 end = std::min(count, (i | 63) + 1);
    u64 known = 0;
    while (i < end && r < run_count) {
      const Word* const a = keys + static_cast<std::size_t>(i) * words;
      const Word* const b = run + static_cast<std::size_t>(r) * words;
      const bool pass_a = W == 1 ? *a <= *b : !key_less<W>(b, a, words);
      const bool pass_b = W == 1 ? *b <= *a : !key_less<W>(a, b, words);
      known |= (u64{pass_a} & u64{pass_b}) << (i & 63);
      i += u32{pass_a};
      r += u32{pass_b};
    }
    hits += static_cast<u64>(std::popcount(known & bits));
    bits &= ~known;
  }
  return i;
}

// The same for few keys: each one is searched for.
template <u32 W>
u32 find_each(const Word* run, u32 run_count, const Word* keys, u32 i, u32 count, u32 words,
              u64* fresh, u64& hits) {
  if constexpr (W != 0) words = W;
  const auto run_key = [&](u32 r) { return run + static_cast<std::size_t>(r) * words; };
  for (u32 low = 0; i < count; i = next_fresh(fresh, i + 1, count)) {
    const Word* const key = keys + static_cast<std::size_t>(i) * words;
    if (key_less<W>(run_key(run_count - 1), key, words)) break;
    // The last one that is not greater is among `rest` from `low` on, if there is one.
    for (u32 rest = run_count - low; rest > 1;) {
      const u32 half = rest / 2;
      low += key_less<W>(key, run_key(low + half), words) ? 0 : half;
      rest -= half;
    }
    if (!key_equal<W>(key, run_key(low), words)) continue;
    fresh[i / 64] &= ~(u64{1} << (i % 64));
    ++hits;
  }
  return i;
}

template <u32 W>
Status drop(RunReader& reader, const Word* keys, u32 count, u64* fresh, u64& hits) {
  const u32 words = W == 0 ? reader.run().words : W;
  u32 i = next_fresh(fresh, 0, count);
  while (i < count) {
    const Word* found = nullptr;
    u32 found_count = 0;
    XMC_TRY(reader.look(keys + static_cast<std::size_t>(i) * words, found, found_count));
    if (reader.exhausted()) break;
    if (found_count == 0) {
      ++i;
    } else {
      // A few keys further: is that still among these?
      const Word* const last = found + static_cast<std::size_t>(found_count - 1) * words;
      const bool dense =
          count - i > kFew &&
          key_less<W>(keys + static_cast<std::size_t>(i + kFew) * words, last, words);
      const auto compare = dense ? match<W> : find_each<W>;
      i = compare(found, found_count, keys, i, count, words, fresh, hits);
    }
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
