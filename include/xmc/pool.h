// Pool: a growing array for the front end, in chunks taken from the arena's scratch or permanent
// end. Chunks never move, so references stay valid and growth wastes nothing; an element is found
// with a shift and a mask. The list of chunks doubles when it is full, so that a pool takes what
// its elements need, however many it may have.
#pragma once

#include <new>
#include <type_traits>

#include "xmc/arena.h"
#include "xmc/check.h"
#include "xmc/types.h"

namespace xmc {

// What pools of all types share.
class PoolChunks {
 public:
  enum class From : u8 { scratch, permanent };

  PoolChunks(const PoolChunks&) = delete;
  PoolChunks& operator=(const PoolChunks&) = delete;

 protected:
  PoolChunks(Arena& arena, const char* name, From from)
      : arena_(&arena), name_(name), from_(from) {}
  void add_chunk(u64 bytes, u64 alignment);
  u32 chunk_count() const { return count_; }

  void** chunks_ = nullptr;

 private:
  void* take(u64 bytes, u64 alignment);

  Arena* arena_;
  const char* name_;
  u32 count_ = 0;
  From from_;
};

template <class T, u32 ChunkShift = 8, u32 ChunkLimit = 4096>
class Pool : public PoolChunks {
  static_assert(std::is_trivially_destructible_v<T>);

 public:
  Pool(Arena& arena, const char* name, From from = From::scratch) : PoolChunks(arena, name, from) {}

  // The largest number of elements; push beyond it is refused by full().
  static constexpr u64 capacity() { return u64{ChunkLimit} << ChunkShift; }
  bool full() const { return size_ == capacity(); }
  u32 size() const { return size_; }
  bool empty() const { return size_ == 0; }

  u32 push(const T& value) {
    XMC_CHECK(!full());
    if ((size_ & kMask) == 0) add_chunk(u64{sizeof(T)} << ChunkShift, alignof(T));
    ::new (static_cast<void*>(at(size_))) T(value);
    return size_++;
  }
  T& operator[](u32 index) {
    XMC_DASSERT(index < size_);
    return *at(index);
  }
  const T& operator[](u32 index) const {
    XMC_DASSERT(index < size_);
    return *at(index);
  }
  T& back() { return (*this)[size_ - 1]; }

 private:
  static constexpr u32 kMask = (1u << ChunkShift) - 1;
  T* at(u32 index) const { return static_cast<T*>(chunks_[index >> ChunkShift]) + (index & kMask); }

  u32 size_ = 0;
};

}  // namespace xmc
