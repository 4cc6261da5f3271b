// UndoBits: bits per state that are set for one of many small searches. Which ones is noted while
// there is room for it, so that a small search does not pay for the bits of all states.
#pragma once

#include <span>

#include "store/tables/state_bits.h"
#include "xmc/types.h"

namespace xmc {

class UndoBits {
 public:
  // `bits` are all clear. `memory` is aligned to 8 bytes.
  void start(StateBits& bits, std::span<u8> memory) {
    bits_ = &bits;
    numbers_ = {reinterpret_cast<u64*>(memory.data()), memory.size() / sizeof(u64)};
  }

  // Whether it was not set before.
  bool add(u64 number) {
    if (!bits_->add(number)) return false;
    if (count_ < numbers_.size()) numbers_[count_] = number;
    ++count_;
    return true;
  }

  void clear_all() {
    if (count_ > numbers_.size()) {
      bits_->clear_all();
    } else {
      for (std::size_t i = 0; i < count_; ++i) bits_->clear(numbers_[i]);
    }
    count_ = 0;
  }

 private:
  StateBits* bits_ = nullptr;
  std::span<u64> numbers_;  // of the bits that were set, as far as there is room
  std::size_t count_ = 0;   // of all of them
};

}  // namespace xmc
