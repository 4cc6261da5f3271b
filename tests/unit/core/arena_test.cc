#include <doctest/doctest.h>

#include <algorithm>
#include <csetjmp>
#include <cstring>
#include <vector>

#include "xmc/arena.h"
#include "xmc/pool.h"

using namespace xmc;

namespace arena_test {

namespace {

std::jmp_buf escape;
const char* asked_name = nullptr;
u64 asked_bytes = 0;

void note_and_leave(const Arena&, const char* name, u64 bytes) {
  asked_name = name;
  asked_bytes = bytes;
  std::longjmp(escape, 1);
}

}  // namespace

TEST_CASE("carves are aligned, zero and listed by name") {
  std::vector<u8> memory(1 << 16, 0);
  Arena arena(memory);
  auto* a = static_cast<u8*>(arena.carve("table", 100));
  auto* b = static_cast<u8*>(arena.carve("buffer", 64, 4096));
  static_cast<void>(arena.carve("table", 28));
  CHECK(reinterpret_cast<std::uintptr_t>(a) % 16 == 0);
  CHECK(reinterpret_cast<std::uintptr_t>(b) % 4096 == 0);
  REQUIRE(arena.carves().size() == 2);
  CHECK(std::string_view(arena.carves()[0].name) == "table");
  CHECK(arena.carves()[0].bytes >= 128);
}

TEST_CASE("a carve that takes over old scratch is zero all the same") {
  std::vector<u8> memory(1 << 16, 0);
  Arena arena(memory);
  const u64 mark = arena.scratch_mark();
  std::memset(arena.scratch("text", 40000), 0xAB, 40000);
  arena.scratch_release(mark);
  const auto all = arena.carve_array<u8>("all", arena.free_bytes() - 64);
  bool zero = true;
  for (const u8 byte : all) zero = zero && byte == 0;
  CHECK(zero);
  CHECK(arena.peak_bytes() >= 60000);
}

TEST_CASE("an arena that is extended gives zeroed memory, over old scratch and behind it") {
  for (const bool scratch : {false, true}) {
    std::vector<u8> memory(1 << 16, 0);
    Arena arena{std::span<u8>(memory).first(1 << 15)};
    if (scratch) {
      const u64 mark = arena.scratch_mark();
      std::memset(arena.scratch("text", 4096), 0x5A, 4096);
      arena.scratch_release(mark);
    }
    const u64 before = arena.free_bytes();
    arena.extend(1 << 14);
    CHECK(arena.free_bytes() == before + (1 << 14));
    CHECK(arena.size_bytes() == (1 << 15) + (1 << 14));
    // 16 bytes less: the vector may begin beside a carve's alignment (8 on 32-bit heaps).
    const std::span<u8> all = arena.carve_array<u8>("all", arena.free_bytes() - 16);
    CHECK(std::all_of(all.begin(), all.end(), [](u8 byte) { return byte == 0; }));
    CHECK(all.data() + all.size() <= memory.data() + (1 << 15) + (1 << 14));
  }
}

TEST_CASE("running out tells the name and the size") {
  std::vector<u8> memory(4096, 0);
  Arena arena(memory);
  arena.set_exhaustion_hook(note_and_leave);
  if (setjmp(escape) == 0) {
    static_cast<void>(arena.carve("small", 1000));
    static_cast<void>(arena.carve("large", 5000));
    FAIL("the second carve does not fit");
  }
  CHECK(std::string_view(asked_name) == "large");
  CHECK(asked_bytes == 5000);
  if (setjmp(escape) == 0) {
    static_cast<void>(arena.scratch("scratch", 3900));
    FAIL("scratch must not reach into carved memory");
  }
  CHECK(std::string_view(asked_name) == "scratch");
}

TEST_CASE("scratch is given back in stack order") {
  std::vector<u8> memory(4096, 0);
  Arena arena(memory);
  const u64 before = arena.free_bytes();
  const u64 outer = arena.scratch_mark();
  static_cast<void>(arena.scratch("a", 100));
  const u64 inner = arena.scratch_mark();
  static_cast<void>(arena.scratch("b", 100));
  arena.scratch_release(inner);
  arena.scratch_release(outer);
  CHECK(arena.free_bytes() == before);
}

TEST_CASE("a pool keeps its elements where they are while it grows") {
  std::vector<u8> memory(1 << 20, 0);
  Arena arena(memory);
  Pool<u32, 4, 64> pool(arena, "pool");
  pool.push(7);
  const u32* first = &pool[0];
  for (u32 i = 1; i < 1000; ++i) pool.push(i * 3);
  CHECK(first == &pool[0]);
  CHECK(*first == 7);
  CHECK(pool[999] == 2997);
  CHECK(pool.capacity() == 1024);
  for (u32 i = 1000; i < 1024; ++i) pool.push(i);
  CHECK(pool.full());
}

}  // namespace arena_test
