// StateBits: one bit per state, in memory of the caller, and the number of a marked state among the
// marked ones. The searches for accepting cycles keep nothing else per state.
#pragma once

#include <algorithm>
#include <bit>
#include <span>

#include "xmc/bytes.h"
#include "xmc/check.h"
#include "xmc/types.h"

namespace xmc {

class StateBits {
 public:
  static u64 bytes_for(u64 states) { return divide_up(states, 64) * 8; }

  // `memory` is aligned to 8 bytes and has bytes_for(states) of them.
  void start(std::span<u8> memory, u64 states, bool value) {
    XMC_CHECK(memory.size() >= bytes_for(states));
    words_ = reinterpret_cast<u64*>(memory.data());
    states_ = states;
    const std::span<u64> all = words();
    std::fill(all.begin(), all.end(), value ? ~u64{0} : u64{0});
    if (value && states % 64 != 0) all.back() = (u64{1} << states % 64) - 1;
  }

  u64 size() const { return states_; }
  bool test(u64 i) const {
    XMC_DASSERT(i < states_);
    return (words_[i / 64] >> (i % 64) & 1) != 0;
  }
  void set(u64 i) {
    XMC_DASSERT(i < states_);
    words_[i / 64] |= u64{1} << i % 64;
  }
  // Whether it was not set before.
  bool add(u64 i) {
    const bool fresh = !test(i);
    set(i);
    return fresh;
  }
  void clear(u64 i) {
    XMC_DASSERT(i < states_);
    words_[i / 64] &= ~(u64{1} << i % 64);
  }
  void clear_all() { fill_zero(words()); }
  void prefetch(u64 i) const { __builtin_prefetch(words_ + i / 64); }
  // The first marked state from here on; `end` if there is none before it.
  u64 next(u64 from, u64 end) const {
    XMC_DASSERT(end <= states_);
    if (from >= end) return end;
    u64 w = from / 64;
    u64 word = words_[w] & ~u64{0} << from % 64;
    while (word == 0) {
      if (++w * 64 >= end) return end;
      word = words_[w];
    }
    return std::min(end, w * 64 + static_cast<u64>(std::countr_zero(word)));
  }
  bool any(u64 begin, u64 end) const { return next(begin, end) < end; }
  void clear_range(u64 begin, u64 end) {
    for (; begin < end && begin % 64 != 0; ++begin) clear(begin);
    for (; begin + 64 <= end; begin += 64) words_[begin / 64] = 0;
    for (; begin < end; ++begin) clear(begin);
  }
  u64 count() const {
    u64 sum = 0;
    for (const u64 word : words()) sum += static_cast<u64>(std::popcount(word));
    return sum;
  }
  std::span<u64> words() const {
    return {words_, static_cast<std::size_t>(divide_up(states_, 64))};
  }

 private:
  u64* words_ = nullptr;
  u64 states_ = 0;
};

// Numbers the marked states of an array that does not change meanwhile: a count for every 2,048
// bits, 3% of the array.
class MarkedNumbers {
 public:
  static u64 bytes_for(u64 states) { return (states / kGroup + 2) * 8; }

  void start(std::span<u8> memory, const StateBits& bits) {
    XMC_CHECK(memory.size() >= bytes_for(bits.size()));
    counts_ = reinterpret_cast<u64*>(memory.data());
    bits_ = bits.words();
    u64 sum = 0;
    for (u64 w = 0; w < bits_.size(); ++w) {
      if (w % kWords == 0) counts_[w / kWords] = sum;
      sum += static_cast<u64>(std::popcount(bits_[static_cast<std::size_t>(w)]));
    }
    groups_ = divide_up(bits_.size(), kWords);
    counts_[groups_] = sum;
  }
  u64 marked() const { return counts_[groups_]; }
  // Marked states before state i.
  u64 number(u64 i) const {
    u64 sum = counts_[i / kGroup];
    const u64 word = i / 64;
    for (u64 w = i / kGroup * kWords; w < word; ++w) sum += ones(w);
    if (i % 64 == 0) return sum;
    const u64 below = bits_[static_cast<std::size_t>(word)] & ((u64{1} << i % 64) - 1);
    return sum + static_cast<u64>(std::popcount(below));
  }
  // The marked state that has this number.
  u64 state(u64 number) const {
    XMC_CHECK(number < marked());
    const u64* const behind = std::upper_bound(counts_, counts_ + groups_, number);
    u64 w = static_cast<u64>(behind - counts_ - 1) * kWords;
    u64 left = number - behind[-1];
    for (; ones(w) <= left; ++w) left -= ones(w);
    u64 word = bits_[static_cast<std::size_t>(w)];
    for (; left > 0; --left) word &= word - 1;
    return w * 64 + static_cast<u64>(std::countr_zero(word));
  }

 private:
  static constexpr u64 kGroup = 2048;
  static constexpr u64 kWords = kGroup / 64;
  u64 ones(u64 w) const {
    return static_cast<u64>(std::popcount(bits_[static_cast<std::size_t>(w)]));
  }

  u64* counts_ = nullptr;
  std::span<u64> bits_;
  u64 groups_ = 0;
};

}  // namespace xmc
