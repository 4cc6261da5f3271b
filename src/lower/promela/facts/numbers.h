// A set of numbers of channels or processes, 0 to 255.
#pragma once

#include <bit>

#include "ir/interval.h"
#include "xmc/types.h"

namespace xmc::promela {

class Numbers {
 public:
  bool contains(u32 number) const { return (words_[number / 64] >> number % 64 & 1) != 0; }
  void add(u32 number) { words_[number / 64] |= u64{1} << number % 64; }
  void remove(u32 number) { words_[number / 64] &= ~(u64{1} << number % 64); }
  void add(const Numbers& other) {
    for (u32 i = 0; i < 4; ++i) words_[i] |= other.words_[i];
  }
  // Those of the interval that are numbers.
  void add(ir::Interval v);
  void keep(ir::Interval v);
  bool empty() const { return (words_[0] | words_[1] | words_[2] | words_[3]) == 0; }
  u32 count() const;
  // The least one that is at least `from`, or kNone.
  u32 next(u32 from) const;
  u32 last() const;  // kNone: there is none
  ir::Interval hull() const;
  u64 word(u32 i) const { return words_[i]; }
  bool operator==(const Numbers&) const = default;

 private:
  u64 words_[4] = {};
};

}  // namespace xmc::promela
