#include "store/tables/packed_array.h"

#include <doctest/doctest.h>

#include <random>
#include <vector>

using namespace xmc;

namespace packed_array_test {

TEST_CASE("numbers of a packed array are replaced, and their neighbours are not") {
  for (u32 bits = 1; bits <= 32; ++bits) {
    CAPTURE(bits);
    constexpr u64 kCount = 150;
    std::mt19937 random(bits);
    std::vector<u64> memory(static_cast<std::size_t>(PackedArray::bytes_for(kCount, bits) / 8));
    PackedArray array;
    array.start({reinterpret_cast<u8*>(memory.data()), memory.size() * 8}, kCount, bits);
    std::vector<u32> wanted(kCount, 0);
    for (u32 i = 0; i < 2000; ++i) {
      const u64 at = random() % kCount;
      const u32 value = static_cast<u32>(random() & ((u64{1} << bits) - 1));
      array.replace(at, value);
      wanted[static_cast<std::size_t>(at)] = value;
    }
    for (u64 i = 0; i < kCount; ++i) {
      REQUIRE(array.get(i) == wanted[static_cast<std::size_t>(i)]);
    }
    array.clear_all();
    for (u64 i = 0; i < kCount; ++i) REQUIRE(array.get(i) == 0);
  }
}

}  // namespace packed_array_test
