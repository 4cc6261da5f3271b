// PoolChunks: the list of chunks behind a Pool, which has no largest size.
#include "xmc/pool.h"

#include <algorithm>

namespace xmc {

namespace {

constexpr u32 kFirstList = 4;

}  // namespace

void* PoolChunks::take(u64 bytes, u64 alignment) {
  return from_ == From::scratch ? arena_->scratch(name_, bytes, alignment)
                                : arena_->carve(name_, bytes, alignment);
}

// A list that is full has 4, 8, 16, ... chunks. The one before stays where it is, in a memory that
// is given back as a stack: all of them take less than two pointers for each chunk.
void PoolChunks::add_chunk(u64 bytes, u64 alignment) {
  const bool is_full = count_ == 0 || (count_ >= kFirstList && (count_ & (count_ - 1)) == 0);
  if (is_full) {
    const u64 room = std::max(u64{count_} * 2, u64{kFirstList});
    void** const list = static_cast<void**>(take(room * sizeof(void*), alignof(void*)));
    std::copy_n(chunks_, count_, list);
    chunks_ = list;
  }
  chunks_[count_++] = take(bytes, alignment);
}

}  // namespace xmc
