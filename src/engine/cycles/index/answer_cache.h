// AnswerCache: number and depth of states that were looked up lately, by their hashes. A search
// meets the same states again and again within a short time, whereas pages of a hash have states
// from anywhere: 16 bytes for an answer save as many reads as many pages would.
//
// Exact, because a perfect hash is built of distinct hashes: two states of the set never share one.
#pragma once

#include <bit>
#include <span>

#include "xmc/types.h"

namespace xmc {

class AnswerCache {
 public:
  static constexpr u64 kLeastBytes = 1024;

  // `memory` is 8-byte aligned; empty: nothing is remembered. For numbers below 2^40 and depths
  // below 2^24.
  void start(std::span<u8> memory) {
    entries_ = {};
    if (memory.size() < kLeastBytes) return;
    const std::size_t count = std::bit_floor(memory.size() / sizeof(Entry));
    entries_ = {reinterpret_cast<Entry*>(memory.data()), count};
    shift_ = 64 - static_cast<u32>(std::countr_zero(count));
    for (Entry& e : entries_) e = {0, kEmpty};
  }
  bool on() const { return !entries_.empty(); }
  u64 hits() const { return hits_; }

  bool find(u64 hash, u64& number, u32& depth) {
    const Entry& e = entries_[place(hash)];
    if (e.hash != hash || e.answer == kEmpty) return false;
    number = e.answer & kNumber;
    depth = static_cast<u32>(e.answer >> kNumberBits);
    ++hits_;
    return true;
  }
  void note(u64 hash, u64 number, u32 depth) {
    if (number > kNumber || depth >> (64 - kNumberBits) != 0) return;
    entries_[place(hash)] = {hash, number | u64{depth} << kNumberBits};
  }

 private:
  struct Entry {
    u64 hash;
    u64 answer;
  };
  static constexpr u32 kNumberBits = 40;
  static constexpr u64 kNumber = (u64{1} << kNumberBits) - 1;
  static constexpr u64 kEmpty = ~u64{0};

  std::size_t place(u64 hash) const {
    return static_cast<std::size_t>(hash * 0x9E37'79B9'7F4A'7C15u >> shift_);
  }

  std::span<Entry> entries_;
  u32 shift_ = 0;
  u64 hits_ = 0;
};

}  // namespace xmc
