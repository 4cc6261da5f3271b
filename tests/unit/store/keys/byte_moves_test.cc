// Every mask, against moving byte by byte.
#include "store/keys/byte_moves.h"

#include <doctest/doctest.h>

#include <random>

namespace xmc {
namespace byte_moves_test {
namespace {

TEST_CASE("bytes of every mask are packed and come back, whatever lies above them") {
  std::mt19937_64 random(7);
  for (u32 mask = 0; mask < 256; ++mask) {
    CAPTURE(mask);
    const u64 noise = random();
    u64 word = 0;
    u64 packed = 0;
    u32 count = 0;
    for (u32 b = 0; b < 8; ++b) {
      if ((mask >> b & 1) == 0) continue;
      const u64 byte = random() % 255 + 1;
      word |= byte << (8 * b);
      packed |= byte << (8 * count++);
    }
    CHECK(byte_mask(word) == mask);
    CHECK(kByteMoves.count[mask] == count);
    CHECK(gather_bytes(word, mask) == packed);
    CHECK(gather_bytes(word | (noise & ~kByteMoves.of[mask].bytes), mask) == packed);
    const u64 above = count == 8 ? 0 : noise << (8 * count);
    CHECK(spread_bytes(packed | above, mask) == word);
  }
}

TEST_CASE("a byte counts as soon as one of its bits is set") {
  for (u32 bit = 0; bit < 64; ++bit) CHECK(byte_mask(u64{1} << bit) == 1u << (bit / 8));
  CHECK(byte_mask(0) == 0);
  CHECK(byte_mask(~u64{0}) == 0xFF);
}

}  // namespace

}  // namespace byte_moves_test
}  // namespace xmc
