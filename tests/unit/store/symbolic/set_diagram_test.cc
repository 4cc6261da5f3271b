// Sets of words against std::set, in memories that collect all the time.
#include "store/symbolic/set_diagram.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "symbolic/word_sets.h"

namespace set_diagram_test {

namespace {

using namespace xmc_test;

void check_equal(SetDiagram& d, Node set, const Words& words) {
  CHECK(d.count(set) == WideCount(words.size()));
  for (const std::vector<u32>& w : words) REQUIRE(d.contains(set, w));
}

TEST_CASE("union, difference and intersection are those of sets, and equal sets are one node") {
  std::mt19937 rng(7);
  u64 collections = 0;
  for (u32 round = 0; round < 60; ++round) {
    Sets s(round % 2 == 0 ? 40u << 10 : 300u << 10);
    const u32 length = 1 + rng() % 7;
    const u32 values = 1 + rng() % 9;
    for (u32 turn = 0; turn < 12 && !s.d.stopped(); ++turn) {
      const Words a = random_words(rng, length, values, rng() % 120);
      const Words b = random_words(rng, length, values, rng() % 120);
      s.kept[0] = build(s.d, a);
      s.kept[1] = build(s.d, b);
      Words expect;
      std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::inserter(expect, expect.begin()));
      s.kept[2] = s.d.unite(s.kept[0], s.kept[1]);
      check_equal(s.d, s.kept[2], expect);
      CHECK(build(s.d, expect) == s.kept[2]);
      expect.clear();
      std::set_difference(a.begin(), a.end(), b.begin(), b.end(),
                          std::inserter(expect, expect.begin()));
      s.kept[2] = s.d.subtract(s.kept[0], s.kept[1]);
      check_equal(s.d, s.kept[2], expect);
      expect.clear();
      std::set_intersection(a.begin(), a.end(), b.begin(), b.end(),
                            std::inserter(expect, expect.begin()));
      s.kept[2] = s.d.intersect(s.kept[0], s.kept[1]);
      check_equal(s.d, s.kept[2], expect);
    }
    CHECK(!s.d.stopped());
    collections += s.d.collections();
  }
  CHECK(collections > 20);
}

TEST_CASE("a set that does not fit is a stop, and what was there before is whole") {
  std::mt19937 rng(3);
  Sets s(SetDiagram::kLeastBytes);
  const Words few = random_words(rng, 6, 4, 30);
  s.kept[0] = build(s.d, few);
  const u32 base = s.d.mark();
  s.d.push(0, SetDiagram::kEmpty);
  for (u32 i = 0; i < 20000 && !s.d.stopped(); ++i) {
    std::vector<u32> w(8);
    for (u32& v : w) v = rng() % 4096;
    s.d.add_to(base, s.d.word(w));
  }
  CHECK(s.d.stop_reason() == SetDiagram::Stop::full);
  s.d.release(base);
  for (const std::vector<u32>& w : few) CHECK(s.d.contains(s.kept[0], w));
}

TEST_CASE("an allowance ends work, and the next one goes on") {
  Sets s(200u << 10);
  std::mt19937 rng(5);
  s.kept[0] = build(s.d, random_words(rng, 8, 5, 200));
  const Words b = random_words(rng, 8, 5, 200);
  s.kept[1] = build(s.d, b);
  s.d.allow(10);
  static_cast<void>(s.d.unite(s.kept[0], s.kept[1]));
  CHECK(s.d.stop_reason() == SetDiagram::Stop::work);
  s.d.allow(1'000'000);
  CHECK(!s.d.stopped());
  s.kept[2] = s.d.unite(s.kept[0], s.kept[1]);
  CHECK(!s.d.stopped());
  for (const std::vector<u32>& w : b) CHECK(s.d.contains(s.kept[2], w));
  // What asks the outside ends in the same way.
  s.d.allow(~u64{0}, {nullptr, [](void*) { return Status::stop(StopReason::signal); }});
  const u32 base = s.d.mark();
  s.d.push(0, SetDiagram::kEmpty);
  for (u32 i = 0; i < 5000 && !s.d.stopped(); ++i) {
    std::vector<u32> w(8);
    for (u32& v : w) v = rng() % 5;
    s.d.add_to(base, s.d.word(w));
  }
  s.d.release(base);
  CHECK(s.d.stop_reason() == SetDiagram::Stop::asked);
  CHECK(s.d.asked().stop_reason() == StopReason::signal);
}

TEST_CASE("counts are exact beyond 64 bits, and bounds beyond 512") {
  Sets s(100u << 10);
  Node all = SetDiagram::kEnd;
  WideCount power = 1;
  for (u32 bit = 1; bit <= 520; ++bit) {
    all = s.d.make(0, all, s.d.make(1, all, SetDiagram::kEmpty));
    s.kept[0] = all;
    WideCount twice = power;
    twice.add(power);
    power = twice;
    REQUIRE(s.d.count(all) == power);
    CHECK(power.fits_u64() == (bit < 64));
    CHECK(power.over == (bit >= 512));
    // The second time the number comes from the cache.
    CHECK(s.d.count(all) == power);
  }
}

}  // namespace

}  // namespace set_diagram_test
