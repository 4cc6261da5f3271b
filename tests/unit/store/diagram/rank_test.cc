// Ranks of random sets, with and without structure, against the sorted set.
#include "store/diagram/rank.h"

#include <doctest/doctest.h>

#include <random>
#include <set>
#include <vector>

#include "digit_keys.h"

using namespace xmc;
using namespace xmc_test;

namespace rank_test {

namespace {

struct Built {
  Built(const std::vector<Diagram::Digit>& digit_list, u32 words, u64 node_words)
      : digits(digit_list), memory(Diagram::bytes_for(node_words, digits.size()) / 8 + 1) {
    diagram.init({reinterpret_cast<u8*>(memory.data()), memory.size() * 8}, digits, words);
  }
  bool insert(const std::set<Key>& all, u32 batch) {
    std::vector<Word> keys;
    std::vector<u64> fresh(batch / 64 + 1);
    u32 count = 0;
    for (auto at = all.begin(); at != all.end();) {
      keys.insert(keys.end(), at->begin(), at->end());
      ++count;
      if (++at != all.end() && count < batch) continue;
      if (!diagram.insert(keys.data(), count, fresh.data())) return false;
      keys.clear();
      count = 0;
    }
    return true;
  }
  std::vector<Diagram::Digit> digits;
  std::vector<u64> memory;
  Diagram diagram;
};

}  // namespace

TEST_CASE("ranks are the places in the sorted set, and keys come back from them") {
  u64 strangers = 0;
  u64 members = 0;
  for (u32 seed = 1; seed <= 200; ++seed) {
    CAPTURE(seed);
    std::mt19937_64 random(seed);
    const u32 words = 1 + static_cast<u32>(random() % 6);  // tails from four on
    const auto digits = random_digits(random, words);
    const u32 spread = 1 + static_cast<u32>(random() % (seed % 3 == 0 ? 256 : 4));
    std::set<Key> all;
    const u32 wanted = static_cast<u32>(random() % 3000);
    for (u32 i = 0; i < wanted; ++i) all.insert(random_key(random, digits, words, spread));
    Built built(digits, words, 200000);
    REQUIRE(built.insert(all, 1 + static_cast<u32>(random() % 500)));
    Rank rank;
    REQUIRE(rank.take(built.diagram));
    REQUIRE(rank.size() == all.size());
    std::vector<u64> elsewhere(rank.bytes() / 8 + 1);
    if (seed % 2 == 0) {
      rank.move_to(reinterpret_cast<u8*>(elsewhere.data()));
      std::fill(built.memory.begin(), built.memory.end(), ~u64{0});
    }

    std::vector<Word> keys;
    std::vector<u64> expected;
    u64 number = 0;
    for (const Key& key : all) {
      keys.insert(keys.end(), key.begin(), key.end());
      expected.push_back(number);
      Key back(words, ~Word{0});
      rank.key_of(number++, back.data());
      REQUIRE(back == key);
      Key other = key;
      const auto& d = digits[random() % digits.size()];
      other[d.word] ^= (1 + random() % ((u64{1} << d.bits) - 1)) << d.shift;
      if (all.count(other) != 0) continue;
      keys.insert(keys.end(), other.begin(), other.end());
      expected.push_back(Rank::kNotThere);
      ++strangers;
    }
    members += number;
    std::vector<u64> ranks(expected.size(), 17);
    rank.find(keys.data(), static_cast<u32>(expected.size()), ranks.data());
    REQUIRE(ranks == expected);
    if (!all.empty()) REQUIRE(rank.find(all.begin()->data()) == 0);
  }
  REQUIRE(strangers > 50000);
  REQUIRE(members > 50000);
}

TEST_CASE("an empty set has no members") {
  std::mt19937_64 random(5);
  const auto digits = random_digits(random, 2);
  Built built(digits, 2, 100);
  Rank rank;
  REQUIRE(rank.take(built.diagram));
  const Key key(2, 0);
  REQUIRE(rank.find(key.data()) == Rank::kNotThere);
}

TEST_CASE("a diagram without room for counts stays as it was; tight ones are taken in place") {
  u32 refused = 0;
  u32 taken = 0;
  for (u32 seed = 1; seed <= 300; ++seed) {
    CAPTURE(seed);
    std::mt19937_64 random(seed);
    const u32 words = 1 + static_cast<u32>(random() % 5);
    const auto digits = random_digits(random, words);
    std::set<Key> all;
    for (u32 i = 0; i < 400; ++i) all.insert(random_key(random, digits, words, 3));
    Built large(digits, words, 100000);
    REQUIRE(large.insert(all, 400));
    const u64 live = large.diagram.live_words();
    Built built(digits, words, live + 64 + random() % (live / 2));
    if (!built.insert(all, 10)) continue;
    Rank rank;
    if (!rank.take(built.diagram)) {
      ++refused;
      REQUIRE(built.diagram.size() == all.size());
      for (const Key& key : all) REQUIRE(built.diagram.contains(key.data()));
      continue;
    }
    ++taken;
    u64 number = 0;
    for (const Key& key : all) REQUIRE(rank.find(key.data()) == number++);
  }
  REQUIRE(refused > 2);
  REQUIRE(taken > 5);
}

}  // namespace rank_test
