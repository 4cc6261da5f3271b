// OriginQueue: the origins of states that wait to be expanded, first in, first out, in a ring of
// bytes. An origin is the number of a predecessor and which of its successors the state is; states
// wait in the order in which they were found, so that a predecessor is most often the one before or
// the next one, and an origin takes one or two bytes instead of eight.
//
//   entry = varint of 1 + (number - the number before) * 64 + step      step < 64, at most five
//   bytes
//         | zero, origin u64                                            anything else
#pragma once

#include <span>

#include "xmc/check.h"
#include "xmc/types.h"

namespace xmc {

class OriginQueue {
 public:
  static constexpr u32 kStepBits = 20;  // of an origin, the low ones
  static constexpr u32 kMostBytes = 9;  // of an entry

  void start(std::span<u8> ring) {
    ring_ = ring;
    clear();
  }
  void clear() {
    begin_ = end_ = used_ = 0;
    first_ = last_ = 0;
  }

  // Whether this many entries are sure to find room. Beside them there is always room to take out
  // all entries and put some of them back in their order: only the first can become longer.
  bool has_room(u64 entries) const { return used_ + (entries + 2) * kMostBytes <= ring_.size(); }
  void push(u64 origin) {
    const u64 number = origin >> kStepBits;
    const u64 step = origin & ((u64{1} << kStepBits) - 1);
    const u64 ahead = number - last_;
    last_ = number;
    if (step >= kSteps || ahead >= kMostAhead) return push_whole(origin);
    u64 rest = 1 + ahead * kSteps + step;
    for (; rest >= 128; rest >>= 7) put(static_cast<u8>(rest | 128));
    put(static_cast<u8>(rest));
    XMC_DASSERT(used_ <= ring_.size());
  }
  // There is one.
  u64 pop() {
    XMC_DASSERT(used_ > 0);
    u64 code = take();
    if (code == 0) return pop_whole();
    for (u32 shift = 7; code >> shift != 0; shift += 7) {
      code = (code & ((u64{1} << shift) - 1)) | u64{take()} << shift;
    }
    first_ += (code - 1) / kSteps;
    return first_ << kStepBits | (code - 1) % kSteps;
  }

 private:
  static constexpr u64 kSteps = 64;
  static constexpr u64 kMostAhead = u64{1} << 28;

  void put(u8 byte) {
    ring_[end_] = byte;
    end_ = end_ + 1 == ring_.size() ? 0 : end_ + 1;
    ++used_;
  }
  u8 take() {
    const u8 byte = ring_[begin_];
    begin_ = begin_ + 1 == ring_.size() ? 0 : begin_ + 1;
    --used_;
    return byte;
  }
  void push_whole(u64 origin);
  u64 pop_whole();

  std::span<u8> ring_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  std::size_t used_ = 0;  // bytes
  u64 first_ = 0;         // number of the entry that was taken last
  u64 last_ = 0;          // and of the one that was added last
};

}  // namespace xmc
