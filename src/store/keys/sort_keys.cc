#include "store/keys/sort_keys.h"

#include <algorithm>
#include <bit>
#include <iterator>

#include "xmc/limits.h"
#include "xmc/parallel.h"

namespace xmc {

namespace {

constexpr u32 kWindow = 11;
constexpr u32 kMostParts = 4;      // each has 8 KiB of counters on the stack
constexpr u32 kLeastPart = 16384;  // some hundred microseconds
// A pass moves every key; comparisons win when keys are wide and many of their bits vary.
constexpr u32 kMostPassWork = 60;

template <u32 W>
struct Key {
  Word w[W];
  bool operator<(const Key& other) const {
    for (u32 i = 0; i < W; ++i) {
      if (w[i] != other.w[i]) return w[i] < other.w[i];
    }
    return false;
  }
};

// One pass. Each part counts its keys and then puts them behind those of the parts before it that
// have the same digit.
template <u32 W>
void scatter(Parallel* parallel, const Key<W>* from, Key<W>* to, u32 count, u32 word, u32 shift) {
  u32 place[kMostParts][1u << kWindow];
  const u32 parts = std::min(parts_of(parallel, count, kLeastPart), kMostParts);
  const auto digit = [=](u32 i) {
    return static_cast<u32>(from[i].w[word] >> shift) & ((1u << kWindow) - 1);
  };
  for_parts(parallel, parts, count, [&](u32 begin, u32 end, u32 part) {
    std::fill(std::begin(place[part]), std::end(place[part]), 0u);
    for (u32 i = begin; i < end; ++i) ++place[part][digit(i)];
  });
  u32 sum = 0;
  for (u32 d = 0; d < 1u << kWindow; ++d) {
    for (u32 part = 0; part < parts; ++part) {
      const u32 n = place[part][d];
      place[part][d] = sum;
      sum += n;
    }
  }
  for_parts(parallel, parts, count, [&](u32 begin, u32 end, u32 part) {
    u32* const next = place[part];
    for (u32 i = begin; i < end; ++i) to[next[digit(i)]++] = from[i];
  });
}

// Shares the keys out by their first varying bits, and compares within the shares only.
template <u32 W>
Word* sort_in_buckets(Parallel* parallel, Key<W>* from, Key<W>* to, u32 count,
                      const Word* varying) {
  u32 word = 0;
  while (varying[word] == 0) ++word;
  const u32 high = static_cast<u32>(std::bit_width(varying[word]));
  const u32 shift = high > kWindow ? high - kWindow : 0;
  scatter(parallel, from, to, count, word, shift);
  for (u32 begin = 0, end = 0; begin < count; begin = end) {
    const Word bucket = to[begin].w[word] >> shift;
    while (end < count && to[end].w[word] >> shift == bucket) ++end;
    std::sort(to + begin, to + end);
  }
  return reinterpret_cast<Word*>(to);
}

template <u32 W>
Word* sort(Parallel* parallel, Word* keys, Word* other, u32 count) {
  Key<W>* from = reinterpret_cast<Key<W>*>(keys);
  Key<W>* to = reinterpret_cast<Key<W>*>(other);
  Word varying[W] = {};
  for (u32 i = 1; i < count; ++i) {
    for (u32 w = 0; w < W; ++w) varying[w] |= from[i].w[w] ^ from[0].w[w];
  }
  u32 passes = 0;
  for (u32 w = 0; w < W; ++w) passes += (static_cast<u32>(std::popcount(varying[w])) + 6) / kWindow;
  // A pass costs its counters, too: about as much as moving half as many keys.
  if (u64{7} * count * std::bit_width(count) < u64{passes} * ((2u << kWindow) + 4 * count)) {
    std::sort(from, from + count);
    return keys;
  }
  if (passes * (W + 2) > kMostPassWork)
    return sort_in_buckets<W>(parallel, from, to, count, varying);
  for (u32 w = W; w-- > 0;) {
    for (Word left = varying[w]; left != 0;) {
      const u32 shift = static_cast<u32>(std::countr_zero(left));
      scatter(parallel, from, to, count, w, shift);
      std::swap(from, to);
      left = shift + kWindow >= 64 ? 0 : left >> (shift + kWindow) << (shift + kWindow);
    }
  }
  return reinterpret_cast<Word*>(from);
}

template <u32 W>
Word* dispatch(Parallel* parallel, Word* keys, Word* other, u32 count, u32 words) {
  if (words == W) return sort<W>(parallel, keys, other, count);
  if constexpr (W < 8) return dispatch<W + 1>(parallel, keys, other, count, words);
  return nullptr;
}

// Any width: a heap of whole keys would move too much, so positions are sorted and gathered.
Word* sort_wide(Word* keys, Word* other, u32 count, u32 words) {
  u32* order = reinterpret_cast<u32*>(other);
  for (u32 i = 0; i < count; ++i) order[i] = i;
  std::sort(order, order + count, [&](u32 a, u32 b) {
    const Word* x = keys + u64{a} * words;
    const Word* y = keys + u64{b} * words;
    return std::lexicographical_compare(x, x + words, y, y + words);
  });
  // Follows the cycles of the permutation in place.
  Word held[limits::kKeyWords];
  for (u32 i = 0; i < count; ++i) {
    if (order[i] == i) continue;
    std::copy_n(keys + u64{i} * words, words, held);
    u32 at = i;
    while (order[at] != i) {
      std::copy_n(keys + u64{order[at]} * words, words, keys + u64{at} * words);
      const u32 next = order[at];
      order[at] = at;
      at = next;
    }
    std::copy_n(held, words, keys + u64{at} * words);
    order[at] = at;
  }
  return keys;
}

}  // namespace

Word* sort_keys(Word* keys, Word* other, u32 count, u32 words, Parallel* parallel) {
  if (words <= 8) return dispatch<1>(parallel, keys, other, count, words);
  return sort_wide(keys, other, count, words);
}

}  // namespace xmc
