// The diagram against std::set: random key sets with and without structure, in little memory.
#include "store/diagram.h"

#include <doctest/doctest.h>

#include <random>
#include <set>
#include <vector>

#include "digit_keys.h"

using namespace xmc;
using namespace xmc_test;

TEST_CASE("a diagram is the set of what was inserted, through collections too") {
  u64 collections = 0;
  u64 refused = 0;
  for (u32 seed = 1; seed <= 150; ++seed) {
    std::mt19937_64 random(seed);
    const u32 words = 1 + static_cast<u32>(random() % 6);
    const auto digits = random_digits(random, words);
    const u32 spread = 1 + static_cast<u32>(random() % 4);
    const bool tails = words >= 4 || random() % 3 == 0;
    std::vector<u64> memory(Diagram::bytes_for(600 + random() % 20000, digits.size()) / 8 + 1);
    Diagram diagram;
    diagram.init({reinterpret_cast<u8*>(memory.data()), memory.size() * 8}, digits, words, tails);
    std::set<Key> all;
    bool full = false;
    CAPTURE(seed);
    for (u32 batch = 0; batch < 40 && !full; ++batch) {
      std::set<Key> sorted;
      const u32 wanted = 1 + static_cast<u32>(random() % 120);
      for (u32 i = 0; i < wanted; ++i) sorted.insert(random_key(random, digits, words, spread));
      std::vector<Word> keys;
      for (const Key& key : sorted) keys.insert(keys.end(), key.begin(), key.end());
      std::vector<u64> fresh(sorted.size() / 64 + 1, ~u64{0});
      if (!diagram.insert(keys.data(), static_cast<u32>(sorted.size()), fresh.data())) {
        full = true;
        ++refused;
        break;
      }
      u32 i = 0;
      for (const Key& key : sorted) {
        REQUIRE(((fresh[i / 64] >> (i % 64)) & 1) == (all.count(key) == 0 ? 1u : 0u));
        ++i;
      }
      all.insert(sorted.begin(), sorted.end());
      REQUIRE(diagram.size() == all.size());
    }
    for (const Key& key : all) REQUIRE(diagram.contains(key.data()));
    for (u32 i = 0; i < 200; ++i) {
      const Key key = random_key(random, digits, words, 8);
      REQUIRE(diagram.contains(key.data()) == (all.count(key) != 0));
    }
    // Looked up in sorted batches, and walked through in order.
    std::set<Key> asked(all);
    for (u32 i = 0; i < 300; ++i) asked.insert(random_key(random, digits, words, 8));
    std::vector<Word> batch;
    for (const Key& key : asked) batch.insert(batch.end(), key.begin(), key.end());
    std::vector<u64> absent(asked.size() / 64 + 1, ~u64{0});
    diagram.drop_known(batch.data(), static_cast<u32>(asked.size()), absent.data());
    u32 number = 0;
    for (const Key& key : asked) {
      REQUIRE(((absent[number / 64] >> (number % 64)) & 1) == (all.count(key) == 0 ? 1u : 0u));
      ++number;
    }
    std::vector<Word> walked;
    std::vector<Word> some(words * 7);
    diagram.begin_walk();
    for (u32 count; (count = diagram.walk(some.data(), 7)) != 0;) {
      walked.insert(walked.end(), some.begin(), some.begin() + count * words);
    }
    std::vector<Word> expected;
    for (const Key& key : all) expected.insert(expected.end(), key.begin(), key.end());
    REQUIRE(walked == expected);
    const u64 before = diagram.node_words();
    CHECK(diagram.live_words() <= before);
    for (const Key& key : all) REQUIRE(diagram.contains(key.data()));
    collections += diagram.collections();
  }
  CHECK(collections > 300);  // the memory was small enough to matter
  CHECK(refused > 5);
  CHECK(refused < 120);
}

TEST_CASE("a full box of keys takes one node per digit") {
  // All 2^16 keys of 16 bits in digits of 6, 5 and 5 bits.
  const std::vector<Diagram::Digit> digits = {{0, 10, 6}, {0, 5, 5}, {0, 0, 5}};
  std::vector<u64> memory(Diagram::bytes_for(4000, digits.size()) / 8 + 1);
  Diagram diagram;
  diagram.init({reinterpret_cast<u8*>(memory.data()), memory.size() * 8}, digits, 1, false);
  std::vector<Word> keys;
  std::vector<u64> fresh(64);
  for (Word k = 0; k < 65536; ++k) {
    keys.push_back(k);
    if (keys.size() < 4096) continue;
    REQUIRE(diagram.insert(keys.data(), 4096, fresh.data()));
    keys.clear();
  }
  CHECK(diagram.size() == 65536);
  CHECK(diagram.live_words() == (1 + 16 + 64) + (1 + 8 + 32));
}

TEST_CASE("a diagram from its nodes goes on like the one that they are from") {
  u32 loaded = 0;
  u32 refused = 0;
  for (u32 seed = 1; seed <= 60; ++seed) {
    CAPTURE(seed);
    std::mt19937_64 random(seed);
    const u32 words = 1 + static_cast<u32>(random() % 6);
    const auto digits = random_digits(random, words);
    const u32 spread = 1 + static_cast<u32>(random() % 4);
    const bool tails = words >= 4 || random() % 3 == 0;
    const auto region = [](std::vector<u64>& memory) {
      return std::span<u8>(reinterpret_cast<u8*>(memory.data()), memory.size() * 8);
    };
    std::vector<u64> memory(Diagram::bytes_for(600 + random() % 20000, digits.size()) / 8 + 1);
    Diagram diagram;
    diagram.init(region(memory), digits, words, tails);
    const auto insert_some = [&](Diagram& into, std::mt19937_64& from) {
      std::set<Key> sorted;
      for (u32 i = 0; i < 100; ++i) sorted.insert(random_key(from, digits, words, spread));
      std::vector<Word> keys;
      for (const Key& key : sorted) keys.insert(keys.end(), key.begin(), key.end());
      std::vector<u64> fresh(sorted.size() / 64 + 1);
      return into.insert(keys.data(), static_cast<u32>(sorted.size()), fresh.data());
    };
    for (u32 batch = 0; batch < 1 + seed % 20 && insert_some(diagram, random); ++batch) {
    }
    // In memory of the same size, or of another one.
    const std::span<const u32> nodes = diagram.nodes();
    std::vector<u64> other(seed % 2 == 0
                               ? memory.size()
                               : Diagram::bytes_for(600 + random() % 20000, digits.size()) / 8 + 1);
    Diagram again;
    again.init(region(other), digits, words, tails);
    const std::span<u32> room = again.room_for(nodes.size());
    if (room.empty()) continue;
    std::copy(nodes.begin(), nodes.end(), room.begin());
    if (!again.load(room, diagram.root(), diagram.size())) {
      ++refused;
      REQUIRE(other.size() < memory.size());
      REQUIRE(again.size() == 0);
      const Key key = random_key(random, digits, words, spread);
      u64 fresh = 0;
      REQUIRE(again.insert(key.data(), 1, &fresh));
      REQUIRE(fresh == 1);
      continue;
    }
    ++loaded;
    std::mt19937_64 same(random);
    for (u32 batch = 0; batch < 10; ++batch) {
      const bool fits = insert_some(diagram, random);
      if (!insert_some(again, same) || !fits) break;
      REQUIRE(again.size() == diagram.size());
      REQUIRE(again.live_words() == diagram.live_words());
    }
  }
  CHECK(loaded > 30);
  CHECK(refused > 0);
}
