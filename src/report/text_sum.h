// TextSum: the checksum of a text that comes in pieces, the same however it is cut: XXH3 of 64
// bytes at a time, each with the sum so far as its seed.
#pragma once

#include <string_view>

#include "xmc/hash.h"
#include "xmc/types.h"

namespace xmc {

class TextSum {
 public:
  void add(std::string_view text) {
    for (const char c : text) {
      bytes_[count_++] = static_cast<u8>(c);
      if (count_ == sizeof bytes_) take();
    }
  }
  // At the end.
  u64 value() {
    take();
    return sum_;
  }

 private:
  void take() {
    sum_ = hash_bytes({bytes_, count_}, sum_);
    count_ = 0;
  }

  u8 bytes_[64];
  std::size_t count_ = 0;
  u64 sum_ = 0;
};

}  // namespace xmc
