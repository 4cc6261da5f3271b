// Arrays in the arena's scratch, for passes that give it back as a whole.
#pragma once

#include <new>
#include <span>

#include "xmc/arena.h"

namespace xmc {

template <class T>
std::span<T> scratch_array(Arena& arena, const char* name, u64 count, const T& value = {}) {
  T* const first = static_cast<T*>(arena.scratch(name, count * sizeof(T), alignof(T)));
  for (u64 i = 0; i < count; ++i) ::new (static_cast<void*>(first + i)) T(value);
  return {first, static_cast<std::size_t>(count)};
}

}  // namespace xmc
