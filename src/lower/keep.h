// What a lowering gathered in a pool, as a part of the program.
#pragma once

#include "xmc/arena.h"
#include "xmc/pool.h"

namespace xmc {

template <class T, u32 ChunkShift, u32 ChunkLimit>
std::span<T> keep(const Pool<T, ChunkShift, ChunkLimit>& pool, Arena& arena) {
  const std::span<T> out = arena.carve_array<T>("program", pool.size());
  for (u32 i = 0; i < pool.size(); ++i) out[i] = pool[i];
  return out;
}

}  // namespace xmc
