#include "store/tables/state_table.h"

#include <doctest/doctest.h>

#include <cstring>
#include <map>
#include <random>
#include <vector>

#include "trial.h"

using namespace xmc;

namespace state_table_test {

using xmc_test::Random;
using xmc_test::Region;

namespace {

std::vector<Word> random_state(std::mt19937_64& random, const StateTable::Shape& shape,
                               u64 variety) {
  std::vector<Word> s(shape.state_words);
  const u64 key = random() % variety;
  for (u32 w = 0; w < shape.state_words; ++w) s[w] = (key + w) * 0x2545'F491'4F6C'DD1Du;
  const u32 last = shape.state_bytes - 8 * (shape.state_words - 1);
  if (last < 8) s.back() &= (u64{1} << (8 * last)) - 1;
  return s;
}

// Inserts batches of states with many repeats until the table is full or `target` states are in it,
// and compares every index with a std::map.
void check_against_map(const StateTable::Shape& shape, std::size_t region_bytes, u64 variety,
                       u32 rounds) {
  Region region(region_bytes);
  StateTable table;
  table.init(region.memory, shape);
  std::map<std::vector<Word>, u32> known;
  std::mt19937_64 random(shape.state_bytes * 1000 + shape.state_words);
  bool full = false;
  for (u32 round = 0; round < rounds && !full; ++round) {
    const u32 count = 1 + static_cast<u32>(random() % 200);
    std::vector<Word> states;
    std::vector<std::vector<Word>> list;
    for (u32 i = 0; i < count; ++i) {
      list.push_back(random_state(random, shape, variety));
      states.insert(states.end(), list.back().begin(), list.back().end());
    }
    std::vector<u32> found(count), indexes(count);
    table.find(states.data(), count, found.data());
    for (u32 i = 0; i < count; ++i) {
      const auto at = known.find(list[i]);
      REQUIRE(found[i] == (at == known.end() ? kNone : at->second));
    }
    const u32 done = table.insert(states.data(), count, indexes.data());
    REQUIRE(done <= count);
    for (u32 i = 0; i < done; ++i) {
      const auto [at, fresh] = known.emplace(list[i], static_cast<u32>(known.size()));
      REQUIRE(indexes[i] == at->second);
      (void)fresh;
    }
    REQUIRE(table.size() == known.size());
    if (done < count) {
      full = true;
      CHECK(known.count(list[done]) == 0);
    }
  }
  std::vector<Word> out(shape.state_words);
  for (const auto& [state, index] : known) {
    table.load(index, out.data());
    REQUIRE(out == state);
    u32 found = 0;
    table.find(state.data(), 1, &found);
    REQUIRE(found == index);
  }
  if (full) {
    // Within 2% of what the formula promises, small roundings apart.
    const double promised = static_cast<double>(table.bytes_for(table.size()));
    CHECK(promised > 0.97 * static_cast<double>(region_bytes) - 600);
  }
}

}  // namespace

TEST_CASE("a table agrees with a map, by number of words and bytes") {
  const u32 sizes[] = {8, 7, 5, 3, 16, 9, 24, 19, 32, 25, 40, 65};
  for (const u32 bytes : sizes) {
    const u32 words = (bytes + 7) / 8;
    for (const bool notes : {false, true}) {
      CAPTURE(bytes);
      CAPTURE(notes);
      check_against_map({words, bytes, notes}, 1 << 22, 20'000, 400);      // never full
      check_against_map({words, bytes, notes}, 1 << 18, 1'000'000, 2000);  // until full
      check_against_map({words, bytes, notes},
                        static_cast<std::size_t>(StateTable::minimum_bytes({words, bytes, notes})),
                        1'000'000, 2000);
    }
  }
}

TEST_CASE("the widest states fit") { check_against_map({64, 509, true}, 1 << 20, 1'000'000, 100); }

TEST_CASE("equal states in one batch get one index") {
  Region region(1 << 16);
  StateTable table;
  table.init(region.memory, {1, 8, false});
  const Word states[] = {7, 7, 0, 7, 0, 9};
  u32 indexes[6];
  REQUIRE(table.insert(states, 6, indexes) == 6);
  const u32 expected[] = {0, 0, 1, 0, 1, 2};
  for (u32 i = 0; i < 6; ++i) CHECK(indexes[i] == expected[i]);
  CHECK(table.size() == 3);
  CHECK(table.insert(states, 6, nullptr) == 6);
  CHECK(table.size() == 3);
}

TEST_CASE("a full table holds what its formula says and stays readable") {
  const std::size_t bytes = 1 << 20;
  Region region(bytes);
  StateTable table;
  table.init(region.memory, {1, 8, false});
  u64 next = 0;
  for (;;) {
    const Word state = next * 0x9E37'79B9'7F4A'7C15u;
    if (table.insert(&state, 1, nullptr) == 0) break;
    ++next;
  }
  CHECK(static_cast<double>(bytes) / static_cast<double>(next) < 12.4);
  for (u64 i = 0; i <= next; ++i) {
    const Word state = i * 0x9E37'79B9'7F4A'7C15u;
    u32 index = 0;
    table.find(&state, 1, &index);
    REQUIRE(index == (i < next ? static_cast<u32>(i) : kNone));
  }
  // Known states are still accepted by a full table.
  const Word old = 5 * 0x9E37'79B9'7F4A'7C15u;
  u32 index = 0;
  CHECK(table.insert(&old, 1, &index) == 1);
  CHECK(index == 5);
}

TEST_CASE("the state limit is exact") {
  Region region(1 << 20);
  StateTable table;
  table.init(region.memory, {1, 8, false});
  table.set_state_limit(1000);
  std::vector<Word> states(1500);
  for (u32 i = 0; i < 1500; ++i) states[i] = i;
  CHECK(table.insert(states.data(), 1500, nullptr) == 1000);
  CHECK(table.size() == 1000);
  CHECK(table.at_state_limit());
}

TEST_CASE("notes and the side stack survive growth") {
  Region region(1 << 20);
  StateTable table;
  table.init(region.memory, {1, 8, true});
  std::vector<u32> stack;
  Random random(5);
  bool full = false;
  u32 inserted = 0;
  while (!full) {
    const Word state = inserted * 0x9E37'79B9'7F4A'7C15u;
    if (table.insert(&state, 1, nullptr) == 0) break;
    table.set_note(inserted, inserted * 7 % 16);
    ++inserted;
    if (random() % 3 == 0) {
      const u32 value = random();
      if (table.push(value)) {
        stack.push_back(value);
      } else {
        full = true;
      }
    } else if (random() % 16 == 0 && stack.size() > 10) {
      stack.resize(stack.size() - 10);
      table.set_stack_size(stack.size());
    }
    if (inserted % 997 == 0) {
      REQUIRE(table.stack_size() == stack.size());
      for (u64 i = 0; i < stack.size(); ++i) REQUIRE(table.stack(i) == stack[i]);
    }
  }
  CHECK(inserted > 60'000);
  for (u64 i = 0; i < stack.size(); ++i) REQUIRE(table.stack(i) == stack[i]);
  for (u32 i = 0; i < inserted; ++i) {
    Word state = 0;
    table.load(i, &state);
    REQUIRE(state == i * 0x9E37'79B9'7F4A'7C15u);
    REQUIRE(table.note(i) == i * 7 % 16);
  }
}

TEST_CASE("a stack may take the whole region, and leaves clean notes behind") {
  Region region(1 << 16);
  StateTable table;
  table.init(region.memory, {1, 8, true});
  Word state = 1;
  REQUIRE(table.insert(&state, 1, nullptr) == 1);
  while (table.push(kNone)) {
  }
  CHECK(table.stack_size() * 4 > (1 << 16) - table.index_bytes() - 200);
  state = 2;
  // Eight states share a group; the ninth needs a new one.
  u32 done = 0;
  for (u32 i = 0; i < 8; ++i) {
    ++state;
    done += table.insert(&state, 1, nullptr);
  }
  CHECK(done == 0);
  table.set_stack_size(0);
  for (u32 i = 0; i < 100; ++i) {
    ++state;
    REQUIRE(table.insert(&state, 1, nullptr) == 1);
  }
  for (u32 i = 0; i < table.size(); ++i) CHECK(table.note(i) == 0);
}

TEST_CASE("an index that could not grow for the stack grows when the stack has shrunk") {
  Region region(1 << 16);
  StateTable table;
  table.init(region.memory, {1, 8, true});
  const u64 index_bytes = table.index_bytes();
  Word state = 0;
  for (; state < 2900; ++state) REQUIRE(table.insert(&state, 1, nullptr) == 1);
  while (table.push(7)) {
  }
  table.set_stack_size(table.stack_size() - 1000);
  for (; state < 3300; ++state) REQUIRE(table.insert(&state, 1, nullptr) == 1);
  CHECK(table.index_bytes() == index_bytes);
  table.set_stack_size(0);
  for (; state < 4500; ++state) REQUIRE(table.insert(&state, 1, nullptr) == 1);
  CHECK(table.index_bytes() > index_bytes);
}

TEST_CASE("a small table touches few pages") {
  // Fresh memory is zero; what the table has not used must still be.
  const std::size_t bytes = 8 << 20;
  Region region(bytes);
  StateTable table;
  table.init(region.memory, {1, 8, false});
  for (Word state = 0; state < 1000; ++state) REQUIRE(table.insert(&state, 1, nullptr) == 1);
  u64 touched = 0;
  for (std::size_t page = 0; page < bytes; page += 4096) {
    bool used = false;
    for (std::size_t i = 0; i < 4096; ++i) used = used || region.memory[page + i] != 0;
    touched += used ? 1 : 0;
  }
  CHECK(touched <= 2 + 4);
}

}  // namespace state_table_test
