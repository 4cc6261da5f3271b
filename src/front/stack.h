// A stack for what a parser gathers while something of the same kind may come up in between: the
// fields of a record with records inside, the names of a declaration. Its memory is kept for the
// next time.
#pragma once

#include "xmc/check.h"
#include "xmc/pool.h"

namespace xmc {

template <class T>
class Stack {
 public:
  Stack(Arena& arena, const char* name) : items_(arena, name) {}

  u32 size() const { return size_; }
  bool full() const { return size_ == Items::capacity(); }
  static constexpr u64 capacity() { return Items::capacity(); }
  u32 push(const T& value) {
    if (size_ == items_.size()) {
      items_.push(value);
    } else {
      items_[size_] = value;
    }
    return size_++;
  }
  void cut(u32 size) {
    XMC_CHECK(size <= size_);
    size_ = size;
  }
  T& operator[](u32 index) { return items_[index]; }
  const T& operator[](u32 index) const { return items_[index]; }

 private:
  using Items = Pool<T, 5, 1024>;
  Items items_;
  u32 size_ = 0;
};

}  // namespace xmc
