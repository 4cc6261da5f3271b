// The chained table against a map: numbers in order of insertion, notes that outlive growth, and a
// full table that says so and stays as it was.
#include "store/tables/chained_table.h"

#include <doctest/doctest.h>

#include <map>
#include <random>
#include <vector>

using namespace xmc;

namespace chained_table_test {

namespace {

struct Region {
  explicit Region(std::size_t bytes) : storage(bytes + 64) {
    const auto at = reinterpret_cast<std::uintptr_t>(storage.data());
    memory = std::span<u8>(storage.data() + (64 - at % 64) % 64, bytes);
  }
  std::vector<u8> storage;
  std::span<u8> memory;
};

}  // namespace

TEST_CASE("a chained table numbers, finds and notes states like a map") {
  for (u32 seed = 1; seed <= 60; ++seed) {
    std::mt19937_64 random(seed);
    const u32 words = 1 + seed % 5;
    const u32 bytes = 8 * words - seed % 8;
    const u64 mask = ~u64{0} >> (64 - 8 * (bytes - 8 * (words - 1)));
    Region region(4096 << seed % 8);
    ChainedTable table;
    table.init(region.memory, {words, bytes, true});
    const u64 distinct = 1 + random() % 30000;
    const auto state = [&](u64 i) {
      std::vector<Word> s(words, 0);
      s[i % words] = i;
      s[words - 1] = (words == 1 ? i : i * 0x9E37'79B9'7F4A'7C15u) & mask;
      if (i % 97 == 0) s.assign(words, i % 2 == 0 ? 0 : ~u64{0}), s[words - 1] &= mask;
      return s;
    };
    std::map<std::vector<Word>, StateIndex> truth;
    std::map<StateIndex, u32> notes;
    INFO("seed ", seed);
    bool full = false;
    for (u32 round = 0; round < 300 && !full; ++round) {
      const u32 count = 1 + static_cast<u32>(random() % 200);
      std::vector<Word> batch;
      std::vector<std::vector<Word>> states;
      for (u32 i = 0; i < count; ++i) {
        states.push_back(state(random() % distinct));
        batch.insert(batch.end(), states.back().begin(), states.back().end());
      }
      std::vector<StateIndex> found(count), indexes(count);
      table.find(batch.data(), count, found.data());
      for (u32 i = 0; i < count; ++i) {
        const auto at = truth.find(states[i]);
        REQUIRE(found[i] == (at == truth.end() ? kNone : at->second));
      }
      const u32 done = table.insert(batch.data(), count, indexes.data());
      for (u32 i = 0; i < done; ++i) {
        const auto at = truth.emplace(states[i], static_cast<StateIndex>(truth.size()));
        REQUIRE(indexes[i] == at.first->second);
      }
      REQUIRE(table.size() == truth.size());
      full = done < count;
      if (full) REQUIRE(truth.count(states[done]) == 0);
      const StateIndex noted = static_cast<StateIndex>(random() % truth.size());
      table.set_note(noted, notes[noted] = static_cast<u32>(random() % 16));
    }
    // A state of 8 bytes takes 16.
    if (full) CHECK(truth.size() >= region.memory.size() / (bytes + 8) - 2);
    std::vector<Word> loaded(words);
    for (const auto& [s, index] : truth) {
      table.load(index, loaded.data());
      REQUIRE(loaded == s);
      const auto note = notes.find(index);
      REQUIRE(table.note(index) == (note == notes.end() ? 0 : note->second));
    }
  }
}

}  // namespace chained_table_test
