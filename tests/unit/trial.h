// What random trials of several areas need: rounds, numbers, memory.
#pragma once

#include <cstdlib>
#include <memory>
#include <random>
#include <span>

#include "xmc/types.h"

namespace xmc_test {

using namespace xmc;

// Sanitized builds and those for other targets make a part of the rounds: the native build makes
// them all.
inline u32 rounds(u32 wanted) {
#ifdef XMC_TEST_LIGHT
  return wanted / XMC_TEST_LIGHT + 1;
#else
  return wanted;
#endif
}

// Numbers that depend on the seed alone, on every host.
struct Random {
  explicit Random(u32 seed) : engine(seed) {}
  u32 operator()() { return static_cast<u32>(engine()); }
  std::mt19937 engine;
};

// Memory for an arena, aligned to a page. Zeros that cost nothing until they are touched.
struct Region {
  explicit Region(std::size_t bytes)
      : storage(static_cast<u8*>(std::calloc(1, bytes + kPageBytes)), &std::free) {
    const auto at = reinterpret_cast<std::uintptr_t>(storage.get());
    memory = std::span<u8>(storage.get() + (kPageBytes - at % kPageBytes) % kPageBytes, bytes);
  }
  std::unique_ptr<u8, void (*)(void*)> storage;
  std::span<u8> memory;
};

}  // namespace xmc_test
