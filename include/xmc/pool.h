// Pool: a growing array for the front end, in chunks taken from the arena's scratch or permanent
// end. Chunks never move, so references stay valid and growth wastes nothing; an element is found
// with a shift and a mask.
#pragma once

#include <new>
#include <type_traits>

#include "xmc/arena.h"
#include "xmc/check.h"
#include "xmc/types.h"

namespace xmc {

template <class T, u32 ChunkShift = 8, u32 ChunkLimit = 4096>
class Pool {
  static_assert(std::is_trivially_destructible_v<T>);

 public:
  enum class From : u8 { scratch, permanent };

  Pool(Arena& arena, const char* name, From from = From::scratch)
      : arena_(&arena), name_(name), from_(from) {}
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  // The largest number of elements; push beyond it is refused by full().
  static constexpr u64 capacity() { return u64{ChunkLimit} << ChunkShift; }
  bool full() const { return size_ == capacity(); }
  u32 size() const { return size_; }
  bool empty() const { return size_ == 0; }

  u32 push(const T& value) {
    XMC_CHECK(!full());
    const u32 chunk = size_ >> ChunkShift;
    if (chunks_ == nullptr) chunks_ = static_cast<T**>(take(ChunkLimit * sizeof(T*), alignof(T*)));
    if ((size_ & kMask) == 0)
      chunks_[chunk] = static_cast<T*>(take(sizeof(T) << ChunkShift, alignof(T)));
    ::new (static_cast<void*>(&chunks_[chunk][size_ & kMask])) T(value);
    return size_++;
  }
  T& operator[](u32 index) {
    XMC_DASSERT(index < size_);
    return chunks_[index >> ChunkShift][index & kMask];
  }
  const T& operator[](u32 index) const {
    XMC_DASSERT(index < size_);
    return chunks_[index >> ChunkShift][index & kMask];
  }
  T& back() { return (*this)[size_ - 1]; }

 private:
  static constexpr u32 kMask = (1u << ChunkShift) - 1;
  void* take(u64 bytes, u64 alignment) {
    return from_ == From::scratch ? arena_->scratch(name_, bytes, alignment)
                                  : arena_->carve(name_, bytes, alignment);
  }

  Arena* arena_;
  const char* name_;
  From from_;
  T** chunks_ = nullptr;
  u32 size_ = 0;
};

}  // namespace xmc
