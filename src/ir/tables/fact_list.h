// FactList: a growing list in scratch whose memory goes with its length. Chunks double and never
// move, so references stay valid; most models have a few dozen facts of a kind, some a million.
#pragma once

#include <bit>
#include <new>
#include <type_traits>

#include "xmc/arena.h"
#include "xmc/check.h"
#include "xmc/types.h"

namespace xmc::ir {

template <class T>
class FactList {
  static_assert(std::is_trivially_destructible_v<T>);

 public:
  FactList(Arena& arena, const char* name) : arena_(&arena), name_(name) {}
  FactList(const FactList&) = delete;
  FactList& operator=(const FactList&) = delete;

  u32 size() const { return size_; }
  bool empty() const { return size_ == 0; }
  u32 push(const T& value) {
    XMC_CHECK(size_ < kMost);
    const Place to = place_of(size_);
    if (to.at == 0) {
      const u64 bytes = sizeof(T) << (kShift + to.chunk);
      chunks_[to.chunk] = static_cast<T*>(arena_->scratch(name_, bytes, alignof(T)));
    }
    ::new (static_cast<void*>(&chunks_[to.chunk][to.at])) T(value);
    return size_++;
  }
  T& operator[](u32 index) {
    XMC_DASSERT(index < size_);
    const Place at = place_of(index);
    return chunks_[at.chunk][at.at];
  }
  const T& operator[](u32 index) const {
    XMC_DASSERT(index < size_);
    const Place at = place_of(index);
    return chunks_[at.chunk][at.at];
  }

 private:
  static constexpr u32 kShift = 5;
  static constexpr u32 kChunks = 25;
  static constexpr u32 kMost = ((u32{1} << kChunks) - 1) << kShift;
  struct Place {
    u32 chunk;
    u32 at;
  };
  // Chunk k has 2^k times as many elements as the first one.
  static Place place_of(u32 index) {
    const u32 from_first = index + (u32{1} << kShift);
    const u32 chunk = static_cast<u32>(std::bit_width(from_first)) - 1 - kShift;
    return {chunk, from_first - (u32{1} << (kShift + chunk))};
  }

  Arena* arena_;
  const char* name_;
  T* chunks_[kChunks] = {};
  u32 size_ = 0;
};

}  // namespace xmc::ir
