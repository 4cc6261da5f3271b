// The diagram against std::set: random key sets with and without structure, in little memory.
#include "store/diagram/diagram.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <random>
#include <set>
#include <span>
#include <vector>

#include "digit_keys.h"

using namespace xmc;
using namespace xmc_test;

namespace diagram_test {

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
      const std::vector<Word> keys = in_a_row(sorted);
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
    const std::vector<Word> batch = in_a_row(asked);
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
    REQUIRE(walked == in_a_row(all));
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
      const std::vector<Word> keys = in_a_row(sorted);
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

namespace {

// Digits in words, from the high end.
std::vector<Diagram::Digit> lay_out(const std::vector<u8>& bits, u32& words) {
  std::vector<Diagram::Digit> digits;
  u32 room = 64;
  words = 1;
  for (const u8 b : bits) {
    if (b > room) {
      ++words;
      room = 64;
    }
    room -= b;
    digits.push_back({static_cast<u16>(words - 1), static_cast<u8>(room), b});
  }
  return digits;
}

bool insert_all(Diagram& diagram, const std::set<Key>& keys, u64& fresh_keys) {
  const std::vector<Word> all = in_a_row(keys);
  std::vector<u64> fresh(keys.size() / 64 + 1);
  const bool fits = diagram.insert(all.data(), static_cast<u32>(keys.size()), fresh.data());
  for (const u64 word : fresh) fresh_keys += static_cast<u64>(std::popcount(word));
  return fits;
}

}  // namespace

TEST_CASE("a diagram with a digit taken apart is the one that its keys would make") {
  u32 done = 0;
  u32 refused = 0;
  u32 last = 0;
  for (u32 seed = 1; seed <= 300; ++seed) {
    CAPTURE(seed);
    std::mt19937_64 random(seed);
    const auto below = [&](u64 n) { return static_cast<u32>(random() % n); };
    std::vector<u8> bits;
    for (u32 n = 2 + below(20); n > 0; --n) bits.push_back(static_cast<u8>(1 + below(8)));
    bits.back() = static_cast<u8>(1 + below(Diagram::kLastBits));
    const u32 level = below(8) == 0 ? static_cast<u32>(bits.size()) - 1 : below(bits.size() - 1);
    // The parts of each value: no two have the same.
    std::vector<u8> parts;
    u32 part_bits = 0;
    while (part_bits < bits[level]) {
      parts.push_back(static_cast<u8>(1 + below(4)));
      part_bits += parts.back();
    }
    if (level + 1 == bits.size()) parts.back() = std::min<u8>(parts.back(), Diagram::kLastBits);
    std::vector<u32> strings(u64{1} << part_bits);
    for (u32 i = 0; i < strings.size(); ++i) strings[i] = i;
    std::shuffle(strings.begin(), strings.end(), random);
    std::vector<u8> new_bits(bits.begin(), bits.begin() + level);
    new_bits.insert(new_bits.end(), parts.begin(), parts.end());
    new_bits.insert(new_bits.end(), bits.begin() + level + 1, bits.end());
    u32 words = 0;
    u32 new_words = 0;
    const auto digits = lay_out(bits, words);
    const auto new_digits = lay_out(new_bits, new_words);
    const auto put_parts = [&](Key& key, u32 code) {
      u32 left = part_bits;
      for (u32 p = 0; p < parts.size(); ++p) {
        const Diagram::Digit& d = new_digits[level + p];
        left -= parts[p];
        key[d.word] |= Word{strings[code] >> left & ((1u << d.bits) - 1)} << d.shift;
      }
    };
    const auto renew = [&](const Key& key) {
      Key out(new_words, 0);
      for (u32 l = 0; l < digits.size(); ++l) {
        if (l == level) {
          put_parts(out, static_cast<u32>(digit_of(key.data(), digits[l])));
        } else {
          const Diagram::Digit& d = new_digits[l > level ? l + parts.size() - 1 : l];
          out[d.word] |= digit_of(key.data(), digits[l]) << d.shift;
        }
      }
      return out;
    };
    Key part_keys;
    for (u32 code = 0; code < 1u << bits[level]; ++code) {
      Key key(new_words, 0);
      put_parts(key, code);
      part_keys.insert(part_keys.end(), key.begin(), key.end());
    }

    const u32 spread = 1 + below(6);
    const bool tails = below(2) == 0;
    std::vector<u64> memory(Diagram::bytes_for(1000 + below(20000), new_digits.size()) / 8 + 1);
    const std::span<u8> region(reinterpret_cast<u8*>(memory.data()), memory.size() * 8);
    Diagram diagram;
    diagram.init(region, digits, words, tails);
    std::set<Key> all;
    u64 fresh = 0;
    for (u32 batch = 1 + below(15); batch > 0; --batch) {
      std::set<Key> some;
      for (u32 i = 0; i < 60; ++i) some.insert(random_key(random, digits, words, spread));
      if (!insert_all(diagram, some, fresh)) break;
      all.insert(some.begin(), some.end());
    }
    std::set<Key> expected;
    for (const Key& key : all) expected.insert(renew(key));
    REQUIRE(expected.size() == all.size());
    std::vector<u32> spare(below(3) == 0 ? below(10000) : 0);
    const Diagram::Apart apart{level,
                               static_cast<u32>(parts.size()),
                               digits,
                               part_keys.data(),
                               {reinterpret_cast<u8*>(spare.data()), spare.size() * 4}};
    // Its memory may begin later than it did.
    const std::span<u8> smaller = region.subspan(below(2) * 8 * below(memory.size() / 8));
    if (!diagram.take_apart(smaller, new_digits, new_words, apart)) {
      ++refused;
      continue;
    }
    ++done;
    last += level + 1 == bits.size() ? 1 : 0;
    REQUIRE(diagram.size() == all.size());
    std::vector<Word> walked(expected.size() * new_words + new_words);
    diagram.begin_walk();
    REQUIRE(diagram.walk(walked.data(), static_cast<u32>(expected.size()) + 1) == expected.size());
    walked.resize(expected.size() * new_words);
    REQUIRE(walked == in_a_row(expected));
    // Both have the same nodes, and go on alike.
    std::vector<u64> other_memory(memory.size() * 4 + 100000);
    Diagram other;
    other.init({reinterpret_cast<u8*>(other_memory.data()), other_memory.size() * 8}, new_digits,
               new_words, tails);
    u64 other_fresh = 0;
    REQUIRE(insert_all(other, expected, other_fresh));
    // But for tails that begin where none could before.
    const bool same_nodes = !tails || level + 3 < bits.size();
    const auto words_agree = [&] {
      return same_nodes ? diagram.live_words() == other.live_words()
                        : diagram.live_words() >= other.live_words();
    };
    REQUIRE(words_agree());
    std::set<Key> more;
    for (u32 i = 0; i < 60; ++i) {
      more.insert(renew(random_key(random, digits, words, spread + 1)));
    }
    fresh = other_fresh = 0;
    if (!insert_all(diagram, more, fresh)) continue;
    REQUIRE(insert_all(other, more, other_fresh));
    REQUIRE(fresh == other_fresh);
    REQUIRE(words_agree());
  }
  CHECK(done > 150);
  CHECK(refused > 20);
  CHECK(last > 10);
}

}  // namespace diagram_test
