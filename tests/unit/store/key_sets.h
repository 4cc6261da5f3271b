// Sorted sets of keys of many shapes, for tests of sorted runs.
#pragma once

#include <algorithm>
#include <random>
#include <vector>

#include "xmc/types.h"

namespace xmc {

using Key = std::vector<Word>;
using KeySet = std::vector<Key>;  // sorted, distinct

enum class Shape { dense, sparse, clustered, extreme, fields };
inline constexpr Shape kShapes[] = {Shape::dense, Shape::sparse, Shape::clustered, Shape::extreme,
                                    Shape::fields};

inline KeySet make_keys(Shape shape, u32 words, u32 count, u64 seed) {
  std::mt19937_64 random(seed * 1000 + words);
  KeySet keys;
  Key base(words);
  for (Word& w : base) w = random();
  for (u32 i = 0; i < count; ++i) {
    Key key(words);
    switch (shape) {
      case Shape::dense:  // the lowest word counts, with a carry on the way
        key = base;
        key[words - 1] = ~Word{0} - count / 2 + i + random() % 2;
        if (words > 1 && key[words - 1] < count) ++key[words - 2];
        break;
      case Shape::sparse:
        for (Word& w : key) w = random();
        break;
      case Shape::clustered:
        if (random() % 500 == 0) {
          for (Word& w : base) w = random();
        }
        key = base;
        key[random() % words] ^= random() >> (40 + random() % 24);
        break;
      case Shape::extreme:
        for (Word& w : key) {
          const Word some[] = {0, ~Word{0}, 1, ~Word{0} - 1, Word{1} << 63, random()};
          w = some[random() % 6];
        }
        break;
      case Shape::fields:  // like packed states: few values in each byte
        for (Word& w : key) {
          for (u32 b = 0; b < 8; ++b) w = w << 8 | (random() % 4 == 0 ? random() % 3 : 1);
        }
        break;
    }
    keys.push_back(key);
  }
  std::sort(keys.begin(), keys.end());
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  return keys;
}

inline std::vector<Word> flat(const KeySet& keys) {
  std::vector<Word> out;
  for (const Key& key : keys) out.insert(out.end(), key.begin(), key.end());
  return out;
}

}  // namespace xmc
