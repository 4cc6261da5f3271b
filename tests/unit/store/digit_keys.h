// Random digits and keys made of them, for tests of diagrams.
#pragma once

#include <algorithm>
#include <random>
#include <vector>

#include "store/diagram/diagram.h"

namespace xmc_test {

using namespace xmc;

using Key = std::vector<Word>;

// Digits of random widths, from the high end of each word.
inline std::vector<Diagram::Digit> random_digits(std::mt19937_64& random, u32 words) {
  std::vector<Diagram::Digit> digits;
  for (u32 w = 0; w < words; ++w) {
    u32 left = 64;
    while (left > 0) {
      const u32 bits = std::min<u32>(left, 1 + static_cast<u32>(random() % 8));
      left -= bits;
      digits.push_back({static_cast<u16>(w), static_cast<u8>(left), static_cast<u8>(bits)});
      if (random() % 12 == 0) break;  // the rest of the word is not used
    }
  }
  while (digits.back().bits > Diagram::kLastBits || digits.size() < 2) {
    Diagram::Digit& last = digits.back();
    if (last.bits == 1) return random_digits(random, words);
    const u8 high = static_cast<u8>(last.bits / 2);
    const u8 low = static_cast<u8>(last.bits - high);
    const u8 shift = last.shift;
    last = {last.word, static_cast<u8>(shift + low), high};
    digits.push_back({last.word, shift, low});
  }
  return digits;
}

inline Key random_key(std::mt19937_64& random, const std::vector<Diagram::Digit>& digits, u32 words,
                      u32 spread) {
  Key key(words, 0);
  for (const Diagram::Digit& d : digits) {
    const u64 most = std::min<u64>(u64{1} << d.bits, 1 + random() % spread);
    key[d.word] |= (random() % most) << d.shift;
  }
  return key;
}

inline Word digit_of(const Word* key, const Diagram::Digit& d) {
  return key[d.word] >> d.shift & ((Word{1} << d.bits) - 1);
}

// Keys in a row, as stores take them.
template <class Keys>
std::vector<Word> in_a_row(const Keys& keys) {
  std::vector<Word> all;
  for (const Key& key : keys) all.insert(all.end(), key.begin(), key.end());
  return all;
}

}  // namespace xmc_test
