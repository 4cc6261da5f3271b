#include <doctest/doctest.h>

#include <vector>

#include "xmc/arena.h"
#include "xmc/pool.h"

using namespace xmc;

namespace pool_test {

TEST_CASE("a pool takes what its elements need, not what it may have one day") {
  std::vector<u8> memory(1 << 20, 0);
  Arena arena(memory);
  Pool<u32, 4, 1u << 16> pool(arena, "numbers");
  const u64 before = arena.free_bytes();
  pool.push(7);
  CHECK(before - arena.free_bytes() <= 64 + 64);  // sixteen elements, and a short list
  CHECK(pool.capacity() == u64{1} << 20);
  for (u32 i = 1; i < 10'000; ++i) pool.push(i);
  // All lists that there ever were have less than two pointers for each chunk of the last one.
  const u64 chunks = 10'000 / 16;
  CHECK(before - arena.free_bytes() <= chunks * (64 + 4 * sizeof(void*)) + 4096);
}

TEST_CASE("elements stay where they are while a pool grows, in scratch and for good") {
  std::vector<u8> memory(1 << 20, 0);
  Arena arena(memory);
  Pool<u64, 2, 4096> scratch(arena, "scratch");
  Pool<u64, 2, 4096> kept(arena, "kept", Pool<u64, 2, 4096>::From::permanent);
  std::vector<const u64*> places;
  for (u64 i = 0; i < 1000; ++i) {
    places.push_back(&scratch[scratch.push(i)]);
    kept.push(i * i);
  }
  bool same = true;
  for (u32 i = 0; i < 1000; ++i) {
    same = same && places[i] == &scratch[i] && scratch[i] == i && kept[i] == u64{i} * i;
  }
  CHECK(same);
  CHECK(scratch.size() == 1000);
  CHECK(scratch.back() == 999);
}

}  // namespace pool_test
