// Joined digits: states become keys and come back, whatever values they take.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <random>
#include <span>
#include <vector>

#include "digit_keys.h"
#include "store/diagram/key_order.h"
#include "xmc/bytes.h"

using namespace xmc;
using namespace xmc_test;

namespace key_join_test {

namespace {

struct Fields {
  std::vector<StateField> fields;
  Model model;

  Fields(std::mt19937_64& random, u32 count) {
    u32 word = 0;
    u32 used = 0;
    for (u32 i = 0; i < count; ++i) {
      const u32 width = 1 + static_cast<u32>(random() % (random() % 4 == 0 ? 16 : 6));
      if (used + width > 64) {
        ++word;
        used = 0;
      }
      fields.push_back({static_cast<u16>(word), static_cast<u8>(used), static_cast<u8>(width),
                        false, random() % 2 == 0 ? kNone : static_cast<u32>(random() % 4), kNone});
      used += width;
    }
    model.state_words = word + 1;
    model.fields = fields;
  }

  // Fields in stretches of five have at most `values` values together.
  Key state(std::mt19937_64& random, u32 values) const {
    Key state(model.state_words, 0);
    u64 value = 0;
    for (std::size_t i = 0; i < fields.size(); ++i) {
      if (i % 5 == 0) value = random() % values;
      const u64 bits = (value * 0x9E37'79B9'7F4A'7C15u) >> (i % 5 * 7);
      state[fields[i].word] |= (bits & ((u64{1} << fields[i].width) - 1)) << fields[i].shift;
    }
    return state;
  }
};

void check_digits(const KeyOrder& order, Key key) {
  REQUIRE(order.digits().size() >= 2);
  REQUIRE(order.digits().back().bits <= Diagram::kLastBits);
  bool fit = true;  // a check for each of them would take longer than all the rest
  for (const Diagram::Digit& d : order.digits()) {
    fit = fit && d.bits <= Diagram::kDigitBits && d.shift + d.bits <= 64;
    key[d.word] &= ~(((u64{1} << d.bits) - 1) << d.shift);
  }
  REQUIRE(fit);
  REQUIRE(std::all_of(key.begin(), key.end(), [](Word w) { return w == 0; }));
}

// An order that is made from what a file would have gives the same keys, and knows no more values.
void check_made_again(const Model& model, const KeyOrder& order, u32 candidate,
                      const std::vector<Key>& states) {
  std::vector<u8> memory(KeyOrder::bytes_for(model, true) + 64);
  Arena arena(std::span<u8>(memory).subspan(
      (64 - reinterpret_cast<std::uintptr_t>(memory.data()) % 64) % 64));
  KeyOrder again;
  again.plan(model, arena, true);
  again.choose(candidate);
  Key begins(divide_up(order.plain_digits(), 64), 0);
  for (u32 d = 0; d < order.plain_digits(); ++d) {
    begins[d / 64] |= Word{order.begins_joined(d)} << d % 64;
  }
  REQUIRE(again.join_at(begins));
  Key state(model.state_words), key(order.key_words()), same(order.key_words());
  for (u32 i = 0; i < order.value_states(); ++i) {
    order.value_state(i, state.data());
    REQUIRE(again.to_key(state.data(), key.data()));
  }
  REQUIRE(again.value_states() == order.value_states());
  for (const Key& s : states) {
    REQUIRE(order.find_key(s.data(), key.data()));
    REQUIRE(again.find_key(s.data(), same.data()));
    REQUIRE(same == key);
  }
}

// States that had keys have new ones, which differ in the parts of one digit only.
void check_apart(const KeyOrder& order, const Diagram::Apart& apart,
                 const std::map<Key, Key>& known) {
  const std::span<const Diagram::Digit> now = order.digits();
  REQUIRE(now.size() == apart.before.size() + apart.parts - 1);
  for (const auto& [before, state] : known) {
    Key key(order.key_words());
    REQUIRE(order.find_key(state.data(), key.data()));
    bool same = true;
    for (u32 l = 0; l < now.size(); ++l) {
      const bool part = l >= apart.level && l < apart.level + apart.parts;
      const u32 old = l < apart.level ? l : part ? apart.level : l - apart.parts + 1;
      const Word value = digit_of(before.data(), apart.before[old]);
      same &= digit_of(key.data(), now[l]) ==
              (part ? digit_of(apart.keys + value * order.key_words(), now[l]) : value);
    }
    REQUIRE(same);
  }
}

}  // namespace

TEST_CASE("joined digits hold all states, and come apart when values become too many") {
  u32 splits = 0;
  u32 kept = 0;
  u32 shorter = 0;
  for (u32 seed = 1; seed <= 30; ++seed) {
    CAPTURE(seed);
    std::mt19937_64 random(seed);
    const Fields f(random, 5 + static_cast<u32>(random() % 60));
    std::vector<u8> memory(KeyOrder::bytes_for(f.model, true) + 64);
    Arena arena(std::span<u8>(memory).subspan(
        (64 - reinterpret_cast<std::uintptr_t>(memory.data()) % 64) % 64));
    KeyOrder order;
    order.plan(f.model, arena, true);
    order.choose(seed % KeyOrder::kCandidates);
    const u32 sample = 1000;
    std::vector<Word> keys;
    for (u32 i = 0; i < sample; ++i) {
      Key key(order.key_words());
      REQUIRE(order.to_key(f.state(random, 12).data(), key.data()));
      keys.insert(keys.end(), key.begin(), key.end());
    }
    std::vector<u64> scratch(KeyOrder::join_scratch(sample) / 8 + order.careful_scratch() / 8 + 2);
    const std::span<u8> bytes(reinterpret_cast<u8*>(scratch.data()), scratch.size() * 8);
    const std::size_t before = order.digits().size();
    order.join(keys.data(), sample, bytes);
    shorter += order.digits().size() < before ? 1 : 0;
    std::map<Key, Key> known;  // by key
    std::vector<Key> states;
    Key key_before;
    for (u32 i = 0; i < 2000; ++i) states.push_back(f.state(random, i < 1000 ? 12 : 500));
    for (u32 i = 0; i < states.size(); ++i) {
      Key key(order.key_words()), again(order.key_words()), back(f.model.state_words);
      const bool found = order.find_key(states[i].data(), again.data());
      if (!order.to_key(states[i].data(), key.data())) {
        REQUIRE_FALSE(found);
        const bool careful = seed % 3 != 0;
        const Diagram::Apart apart =
            order.split(careful ? bytes : bytes.first(order.split_scratch()));
        REQUIRE((apart.parts != 0) == (careful && order.joined()));
        if (apart.parts != 0) check_apart(order, apart, known);
        kept += apart.parts != 0 ? 1 : 0;
        known.clear();
        key_before.clear();
        ++splits;
        i = ~u32{0};  // all keys are others
        continue;
      }
      if (found) REQUIRE(again == key);
      REQUIRE(order.find_key(states[i].data(), again.data()));
      REQUIRE(again == key);
      order.to_state(key.data(), back.data());
      REQUIRE(back == states[i]);
      if (!key_before.empty()) {
        // Two at once.
        Key pair(states[i - 1]), keys_of_pair(2 * order.key_words()), found_pair(keys_of_pair);
        pair.insert(pair.end(), states[i].begin(), states[i].end());
        Key expected(key_before), states_again(pair.size());
        expected.insert(expected.end(), key.begin(), key.end());
        REQUIRE(order.to_keys(pair.data(), 2, keys_of_pair.data()));
        REQUIRE(keys_of_pair == expected);
        REQUIRE(order.find_keys(pair.data(), 2, found_pair.data()));
        REQUIRE(found_pair == expected);
        order.to_states(expected.data(), 2, states_again.data());
        REQUIRE(states_again == pair);
      }
      key_before = key;
      const auto [at, fresh] = known.emplace(key, states[i]);
      REQUIRE(at->second == states[i]);
      if (fresh) check_digits(order, key);
    }
    if (order.joined()) check_made_again(f.model, order, seed % KeyOrder::kCandidates, states);
  }
  CHECK(splits > 10);
  CHECK(kept > 5);
  CHECK(shorter > 20);
}

}  // namespace key_join_test
