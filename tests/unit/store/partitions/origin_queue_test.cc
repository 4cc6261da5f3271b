#include "store/partitions/origin_queue.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <deque>
#include <random>
#include <vector>

using namespace xmc;

namespace origin_queue_test {

namespace {

// Predecessors mostly one after the other, with some jumps, back too, and some large steps.
struct Source {
  std::mt19937_64 random;
  u64 number = 0;

  u64 next() {
    const u64 kind = random() % 100;
    number += kind < 50 ? 0 : kind < 95 ? 1 + random() % 3 : random() % 100000;
    if (kind == 99) number = random() >> (OriginQueue::kStepBits + random() % 40);
    const u64 step = kind % 10 == 0 ? random() % (1 << OriginQueue::kStepBits) : random() % 40;
    return number << OriginQueue::kStepBits | step;
  }
};

}  // namespace

TEST_CASE("origins come out as they went in, however the ring lies") {
  for (const std::size_t bytes : {100u, 997u, 3000u}) {
    std::vector<u8> ring(bytes);
    OriginQueue queue;
    queue.start(ring);
    Source source{std::mt19937_64(bytes)};
    std::deque<u64> expected;
    std::size_t most = 0;
    for (u32 round = 0; round < 3000; ++round) {
      for (u64 n = source.random() % 50; n > 0 && queue.has_room(1); --n) {
        expected.push_back(source.next());
        queue.push(expected.back());
      }
      most = std::max(most, expected.size());
      for (u64 n = source.random() % 50; n > 0 && !expected.empty(); --n) {
        REQUIRE(queue.pop() == expected.front());
        expected.pop_front();
      }
    }
    CHECK(most > bytes / OriginQueue::kMostBytes);
    queue.clear();
    queue.push(u64{1} << 63);
    CHECK(queue.pop() == u64{1} << 63);
  }
}

TEST_CASE("a full ring of origins can be gone through, and some of them dropped") {
  for (u32 seed = 0; seed < 200; ++seed) {
    std::vector<u8> ring(400);
    OriginQueue queue;
    queue.start(ring);
    Source source{std::mt19937_64(seed)};
    std::deque<u64> expected;
    while (queue.has_room(1)) {
      expected.push_back(source.next());
      queue.push(expected.back());
    }
    for (u32 pass = 0; pass < 20; ++pass) {
      const std::size_t entries = expected.size();
      for (std::size_t i = 0; i < entries; ++i) {
        const u64 origin = expected.front();
        expected.pop_front();
        REQUIRE(queue.pop() == origin);
        if (source.random() % 20 == 0) continue;
        expected.push_back(origin);
        queue.push(origin);
      }
    }
  }
}

TEST_CASE("most origins of a search take a byte") {
  std::vector<u8> ring(1000);
  OriginQueue queue;
  queue.start(ring);
  u32 entries = 0;
  for (; queue.has_room(1); ++entries) {
    queue.push((u64{5'000'000'000} + entries / 2) << OriginQueue::kStepBits | entries % 7);
  }
  CHECK(entries > 900);
}

}  // namespace origin_queue_test
