// An arena for one automaton at a time. All of them use the same region; what one has carved is
// cleared for the next, which a fresh mapping would be by itself.
#pragma once

#include <algorithm>
#include <vector>

#include "xmc/arena.h"

namespace xmc::ltl {

inline std::vector<u8>& test_region() {
  static std::vector<u8> bytes(std::size_t{64} << 20);
  return bytes;
}

struct TestArena {
  Arena arena{std::span<u8>(test_region())};

  ~TestArena() { std::fill_n(test_region().begin(), arena.carved_bytes(), u8{0}); }
};

}  // namespace xmc::ltl
