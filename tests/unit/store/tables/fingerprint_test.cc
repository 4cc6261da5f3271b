// Fingerprints of visited states: the filter, the sample, and the table that forgets.
#include <doctest/doctest.h>

#include <random>
#include <vector>

#include "run_disk.h"
#include "store/tables/cache_table.h"
#include "store/tables/fingerprint_filter.h"
#include "store/tables/fingerprint_sample.h"
#include "store/tables/state_table.h"

using namespace xmc;

namespace fingerprint_test {

TEST_CASE("a filter knows its members, and few others") {
  std::mt19937_64 random(1);
  for (const u32 keys : {1u, 10u, 1000u, 50000u}) {
    for (const std::size_t words :
         {std::size_t{1}, std::size_t{keys} / 4 + 1, std::size_t{1} << 17}) {
      std::vector<u64> memory(words);
      FingerprintFilter filter;
      filter.start(memory, keys);
      std::vector<u32> members(keys);
      for (u32& member : members) {
        member = static_cast<u32>(random());
        filter.add(member);
      }
      for (const u32 member : members) {
        REQUIRE(filter.may_have(member));
        REQUIRE(filter.may_have_quick(member) == 1);
      }
      u32 strangers = 0;
      for (u32 i = 0; i < 20000; ++i) strangers += filter.may_have(static_cast<u32>(random()));
      if (words >= keys) CHECK(strangers <= 20);
      if (words * 8 >= keys * 2) CHECK(strangers <= 600);
    }
  }
}

TEST_CASE("a sample estimates how many are old") {
  std::mt19937_64 random(2);
  std::vector<u32> slots(1024);
  std::vector<u32> spare(512);
  FingerprintSample sample;
  sample.start(slots, spare);
  std::vector<u32> old(100000);
  for (u32& fingerprint : old) {
    fingerprint = static_cast<u32>(random());
    sample.add(fingerprint);
    sample.add(fingerprint);
  }
  CHECK(sample.factor() >= 256);
  const auto estimate = [&](const std::vector<u32>& some) {
    u64 found = 0;
    for (const u32 fingerprint : some) {
      if (sample.covers(fingerprint) && sample.has(fingerprint)) ++found;
    }
    return found * sample.factor();
  };
  CHECK(estimate(old) > 80000);
  CHECK(estimate(old) < 120000);
  std::vector<u32> fresh(100000);
  for (u32& fingerprint : fresh) fingerprint = static_cast<u32>(random());
  CHECK(estimate(fresh) < 1000);
}

TEST_CASE("a table forgets its oldest states and keeps the others with their notes") {
  std::mt19937_64 random(3);
  for (const u32 bytes : {3u, 8u, 13u}) {
    const u32 words = (bytes + 7) / 8;
    AlignedMemory region(1 << 18);
    StateTable table;
    table.init(region.span(), {words, bytes, true});
    std::vector<std::vector<Word>> states;
    const auto add = [&](u32 count) {
      for (u32 i = 0; i < count; ++i) {
        std::vector<Word> state(words);
        const Word number = random() & 0xFFFFFF;
        state[0] = number;
        StateIndex index = 0;
        const u32 size = table.size();
        REQUIRE(table.insert(state.data(), 1, &index) == 1);
        if (index != size) continue;
        table.set_note(index, static_cast<u32>(number % 16));
        states.push_back(state);
      }
    };
    for (u32 round = 0; round < 20; ++round) {
      add(1 + static_cast<u32>(random() % 3000));
      const u32 gone = static_cast<u32>(random() % (table.size() + 1)) / 8 * 8;
      for (u32 i = 0; i < gone; ++i) {
        StateIndex index = 0;
        table.find(states[i].data(), 1, &index);
        REQUIRE(index == i);
      }
      table.drop_first(gone);
      StateIndex index = 0;
      if (gone > 0) {
        table.find(states[gone - 1].data(), 1, &index);
        REQUIRE(index == kNone);
      }
      states.erase(states.begin(), states.begin() + gone);
      REQUIRE(table.size() == states.size());
      for (u32 i = 0; i < states.size(); ++i) {
        table.find(states[i].data(), 1, &index);
        REQUIRE(index == i);
        REQUIRE(table.note(i) == states[i][0] % 16);
      }
    }
  }
}

TEST_CASE("a cache estimates how many states come again that it forgot") {
  constexpr u32 kStates = 20000;
  std::mt19937_64 random(5);
  for (const u32 slots : {kStates / 8, kStates / 2, 8 * kStates}) {
    std::vector<u8> memory(CacheTable::bytes_for(slots, 8));
    std::vector<u32> sample(1024);
    std::vector<u32> spare(512);
    CacheTable cache;
    cache.init(memory, 1, 8);
    cache.set_sample(sample, spare);
    u64 repeats = 0;
    std::vector<bool> met(kStates);
    for (u32 i = 0; i < 5 * kStates; ++i) {
      const u32 number = static_cast<u32>(random() % kStates);
      const Word state = number;
      if (cache.insert(&state, 1) == 0) continue;
      repeats += met[number];
      met[number] = true;
    }
    CHECK((repeats == 0) == (slots > kStates));
    CHECK(cache.repeats() >= repeats - repeats / 4);
    CHECK(cache.repeats() <= repeats + repeats / 4);
    CHECK(cache.first_ones() > kStates / 4 * 3);
    CHECK(cache.first_ones() < kStates / 4 * 5);
  }
}

}  // namespace fingerprint_test
