#include "store/files/key_file.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "platform/device_ram.h"
#include "run_disk.h"
#include "store/diagram/key_order.h"
#include "store/keys/sort_keys.h"
#include "store/tiered/sorted_keys.h"

using namespace xmc;

namespace key_file_test {

TEST_CASE("keys come back in order while more are appended, and levels are found again") {
  for (u32 seed = 1; seed <= 12; ++seed) {
    std::mt19937_64 random(seed);
    const u32 words = 1 + seed % 4;
    AlignedMemory disk(64 << 20), write_buffer(KeyFile::kSlotBytes * (1 + seed / 2 % 2)),
        read_buffer(KeyFile::kSlotBytes * (1 + seed / 4 % 2));
    RamFolder folder(disk.span());
    Result<Device*> device = folder.open("queue", Folder::Open::create);
    REQUIRE(device.ok());
    KeyFile file;
    file.start(device.value(), "queue", Purpose::queue, words, write_buffer.span());
    KeyReader reader;
    reader.start(file, read_buffer.span());
    std::vector<Word> keys;
    std::vector<u64> level_of;
    std::vector<u64> level_begin = {0};
    u64 read = 0;
    std::vector<Word> key(words), got(words);
    CAPTURE(seed);
    const auto expect_next = [&](u64 number) {
      Result<bool> more = reader.next(got.data());
      REQUIRE(more.ok());
      REQUIRE(more.value());
      REQUIRE(reader.index() == number);
      REQUIRE(reader.level() == level_of[number]);
      REQUIRE(std::equal(got.begin(), got.end(), keys.begin() + static_cast<long>(number * words)));
    };
    const u32 most = seed % 3 == 0 ? 3 : 4000;
    for (u32 step = 0; step < 60; ++step) {
      const u32 count = static_cast<u32>(random() % most);
      for (u32 i = 0; i < count; ++i) {
        if (random() % 50 != 0)
          for (Word& w : key) w = random() % 5 == 0 ? ~Word{0} : random() >> (random() % 64);
        // Equal neighbours must not look like a mark.
        if (random() % 50 != 0) key[0] = key[0] << 20 | level_of.size();
        REQUIRE(file.append(key.data(), level_begin.size() - 1).ok());
        if (random() % 300 == 0) REQUIRE(file.flush().ok());
        keys.insert(keys.end(), key.begin(), key.end());
        level_of.push_back(level_begin.size() - 1);
      }
      for (u32 i = static_cast<u32>(random() % (2 * most)); i > 0; --i) {
        if (read == level_of.size()) {
          Result<bool> more = reader.next(got.data());
          REQUIRE(more.ok());
          REQUIRE_FALSE(more.value());
          break;
        }
        expect_next(read++);
      }
      if (level_begin.back() < level_of.size() && random() % 3 == 0) {
        level_begin.push_back(level_of.size());
      }
    }
    if (level_begin.back() == level_of.size()) level_begin.pop_back();
    for (u64 level = 0; level < level_begin.size(); ++level) {
      REQUIRE(reader.seek_level(level).ok());
      expect_next(level_begin[level]);
      REQUIRE(reader.level() == level);
    }
    // From the end to the beginning, after a key of each level or of a later one.
    for (u64 level = level_begin.size(); level-- > 0;) {
      if (random() % 3 == 0) continue;
      REQUIRE(reader.seek_level_back(level).ok());
      const KeyReader::Position there = reader.position();
      for (u64 number = level_begin[level]; number < level_of.size(); ++number) {
        expect_next(number);
        if (random() % 4 == 0) break;
      }
      if (random() % 8 != 0) continue;
      reader.unread();
      const u64 last = reader.index();
      REQUIRE(reader.seek(reader.position()).ok());
      expect_next(last);
      REQUIRE(reader.seek(there).ok());
      expect_next(level_begin[level]);
    }
    // Cut at a flush and gone on from there.
    REQUIRE(file.flush().ok());
    const u64 bytes = file.bytes(), chain = file.chain(), count = file.keys();
    key.assign(words, 7);
    for (u32 i = 0; i < 20000; ++i) REQUIRE(file.append(key.data(), level_begin.size()).ok());
    KeyFile again;
    REQUIRE(again
                .reopen(device.value(), "queue", Purpose::queue, words, write_buffer.span(), bytes,
                        chain)
                .ok());
    REQUIRE(again.keys() == count);
    REQUIRE(again.append(key.data(), level_begin.size() + 40).ok());
    reader.start(again, read_buffer.span());
    keys.insert(keys.end(), key.begin(), key.end());
    level_of.push_back(level_begin.size() + 40);
    for (u64 number = 0; number < count; number += 1 + random() % 999) {
      REQUIRE(reader.seek_key(number).ok());
      expect_next(number);
    }
    REQUIRE(reader.seek_key(count).ok());
    expect_next(count);
    for (u64 number = count; number > 0;) {
      number -= 1 + random() % std::min<u64>(number, random() % 4 == 0 ? 9999 : 99);
      REQUIRE(reader.seek_key_back(number).ok());
      expect_next(number);
    }
  }
}

TEST_CASE("a reader that is right behind the writer has nothing read") {
  for (const u32 slots : {1u, 2u}) {
    AlignedMemory disk(8 << 20), write_buffer(slots * KeyFile::kSlotBytes),
        read_buffer(slots * KeyFile::kSlotBytes);
    RamFolder folder(disk.span());
    Result<Device*> device = folder.open("queue", Folder::Open::create);
    REQUIRE(device.ok());
    KeyFile file;
    file.start(device.value(), "queue", Purpose::queue, 1, write_buffer.span());
    KeyReader reader;
    reader.start(file, read_buffer.span());
    std::mt19937_64 random(9);
    std::vector<Word> keys;
    std::size_t read = 0;
    for (u64 level = 0; level < 2000; ++level) {
      for (u32 i = 0; i < 50; ++i) {
        keys.push_back(random());
        REQUIRE(file.append(&keys.back(), level).ok());
      }
      // Half a slot behind, sometimes.
      if (level / 40 % 2 == 1) continue;
      for (; read < keys.size(); ++read) {
        Word key = 0;
        const Result<bool> more = reader.next(&key);
        REQUIRE((more.ok() && more.value()));
        REQUIRE(key == keys[read]);
      }
    }
    CHECK(file.slots() > 10);
    CHECK((device.value()->counters().total().bytes_read == 0) == (slots == 2));
  }
}

TEST_CASE("going back through thin levels reads no slot for every level") {
  for (const u32 slots : {1u, 2u}) {
    AlignedMemory disk(8 << 20), write_buffer(KeyFile::kSlotBytes),
        read_buffer(slots * KeyFile::kSlotBytes);
    RamFolder folder(disk.span());
    Result<Device*> device = folder.open("queue", Folder::Open::create);
    REQUIRE(device.ok());
    KeyFile file;
    file.start(device.value(), "queue", Purpose::queue, 1, write_buffer.span());
    std::mt19937_64 random(9);
    for (Word i = 0; i < 100000; ++i) {
      const Word key = random();
      REQUIRE(file.append(&key, i / 10).ok());
    }
    KeyReader reader;
    reader.start(file, read_buffer.span());
    const u64 last = 9999;
    REQUIRE(reader.seek_level(last).ok());
    Word key = 0;
    REQUIRE(reader.next(&key).value());
    const u64 before = device.value()->counters().total().bytes_read;
    for (u64 level = last; level-- > 0;) {
      REQUIRE(reader.seek_level_back(level).ok());
      for (u32 i = 0; i < 5; ++i) REQUIRE(reader.next(&key).value());
      REQUIRE(reader.index() == level * 10 + 4);
    }
    // A level may go on in the slot behind: that one, the one after it in advance, and this one
    // again.
    const u64 read = device.value()->counters().total().bytes_read - before;
    CHECK(file.slots() > 10);
    CHECK(read <= 4 * file.slots() * KeyFile::kSlotBytes);
  }
}

TEST_CASE("the last of some levels is left out, however much of it there is") {
  AlignedMemory disk(4 << 20), write_buffer(KeyFile::kSlotBytes), read_buffer(KeyFile::kSlotBytes);
  RamFolder folder(disk.span());
  Result<Device*> device = folder.open("queue", Folder::Open::create);
  REQUIRE(device.ok());
  KeyFile file;
  file.start(device.value(), "queue", Purpose::queue, 1, write_buffer.span());
  KeyReader reader;
  reader.start(file, read_buffer.span());
  CHECK(whole_levels(reader, 0).value() == 0);
  std::mt19937_64 random(1);
  std::vector<u64> begin_of;  // where the level of each key begins
  u64 level = 0;
  for (const u64 size : {1u, 2u, 7u, 40000u, 1u, 3000u}) {
    begin_of.insert(begin_of.end(), size, begin_of.size());
    for (u64 i = 0; i < size; ++i) {
      const Word key = random();
      REQUIRE(file.append(&key, level).ok());
    }
    ++level;
  }
  for (const u64 states : {1u, 2u, 3u, 4u, 10u, 11u, 30000u, 40010u, 40011u, 40012u, 43011u}) {
    const Result<u64> whole = whole_levels(reader, states);
    REQUIRE(whole.ok());
    CAPTURE(states);
    CHECK(whole.value() == begin_of[states - 1]);
  }
}

TEST_CASE("a damaged block is noticed") {
  AlignedMemory disk(4 << 20), write_buffer(KeyFile::kSlotBytes), read_buffer(KeyFile::kSlotBytes);
  RamFolder folder(disk.span());
  Result<Device*> device = folder.open("queue", Folder::Open::create);
  REQUIRE(device.ok());
  KeyFile file;
  file.start(device.value(), "queue", Purpose::queue, 1, write_buffer.span());
  for (Word k = 0; k < 100000; ++k) REQUIRE(file.append(&k, k / 1000).ok());
  REQUIRE(file.flush().ok());
  u64 noticed = 0;
  KeyBlockHeader header;
  REQUIRE(file.read_header(1, read_buffer.span(), header).ok());
  std::mt19937_64 random(7);
  // The block lies somewhere in the RAM disk: find it by its contents and flip one bit.
  const auto block = read_buffer.span().subspan(8, 4000);
  const std::span<u8> whole = disk.span();
  const auto at = std::search(whole.begin(), whole.end(), block.begin(), block.end());
  REQUIRE(at != whole.end());
  for (u32 i = 0; i < 200; ++i) {
    u8& byte = *(at + static_cast<long>(random() % 2000));
    byte ^= static_cast<u8>(1u << (random() % 8));
    AlignedMemory other(KeyFile::kSlotBytes);
    const Status status = file.read_header(1, other.span(), header);
    if (status.code() == Code::corrupt) ++noticed;
    byte = read_buffer.span()[8 + static_cast<u64>(&byte - &*at)];
  }
  CHECK(noticed == 200);
}

TEST_CASE("keys are sorted whatever their width") {
  std::mt19937_64 random(3);
  for (u32 words = 1; words <= 12; ++words) {
    for (const u32 count : {0u, 1u, 2u, 511u, 512u, 5000u}) {
      std::vector<Word> keys(u64{count} * words), other(u64{count} * words + 1);
      for (Word& w : keys) w = random() >> (random() % 3 == 0 ? 40 : 20) & 0x00FF'0FF0'00FF'FF00u;
      std::vector<std::vector<Word>> expected;
      for (u32 i = 0; i < count; ++i) {
        expected.emplace_back(keys.begin() + i * words, keys.begin() + (i + 1) * words);
      }
      std::sort(expected.begin(), expected.end());
      const Word* sorted = sort_keys(keys.data(), other.data(), count, words);
      bool same = true;
      for (u32 i = 0; i < count; ++i) {
        same = same && std::equal(expected[i].begin(), expected[i].end(), sorted + u64{i} * words);
      }
      CAPTURE(words);
      CAPTURE(count);
      CHECK(same);
    }
  }
}

// Fields of globals and of up to four processes, in no order.
std::vector<StateField> random_fields(std::mt19937_64& random, u32 wanted) {
  std::vector<StateField> fields;
  u32 word = 0;
  u32 used = 0;
  for (u32 i = 0; i < wanted; ++i) {
    const u32 width = 1 + static_cast<u32>(random() % 16);
    if (used + width > 64) {
      ++word;
      used = 0;
    }
    fields.push_back({static_cast<u16>(word), static_cast<u8>(used), static_cast<u8>(width),
                      random() % 4 == 0, random() % 2 == 0 ? kNone : static_cast<u32>(random() % 4),
                      random() % 2 == 0 ? kNone : static_cast<u32>(random() % 5)});
    used += width;
  }
  return fields;
}

// The orders of states that have such fields.
struct RandomOrder {
  std::vector<StateField> fields;
  Model model;
  AlignedMemory memory;
  KeyOrder order;

  RandomOrder(std::mt19937_64& random, u32 most_fields)
      : fields(random_fields(random, 1 + static_cast<u32>(random() % most_fields))),
        model(model_of(fields)),
        memory(KeyOrder::bytes_for(model) / 64 * 64 + 64) {
    Arena arena(memory.span());
    order.plan(model, arena);
  }
  static Model model_of(std::span<const StateField> fields) {
    Model model;
    model.state_words = fields.back().word + 1u;
    model.fields = fields;
    return model;
  }
  // The bits are zero before.
  void fill_state(std::mt19937_64& random, Word* state) const {
    for (const StateField& f : fields) {
      state[f.word] |= (random() & ((u64{1} << f.width) - 1)) << f.shift;
    }
  }
};

TEST_CASE("every order of a state's bits is a bijection that fits its digits") {
  std::mt19937_64 random(5);
  for (u32 round = 0; round < 200; ++round) {
    RandomOrder made(random, 30);
    KeyOrder& order = made.order;
    const Model& model = made.model;
    for (u32 candidate = 0; candidate < KeyOrder::kCandidates; ++candidate) {
      order.choose(candidate);
      u64 bits = 0;
      for (const Diagram::Digit& d : order.digits()) {
        REQUIRE(d.bits <= Diagram::kDigitBits);
        REQUIRE(d.shift + d.bits <= 64);
        bits += d.bits;
      }
      u64 total = 0;
      std::vector<Word> state(model.state_words, 0), key(order.key_words()),
          back(model.state_words);
      for (const StateField& f : made.fields) total += f.width;
      made.fill_state(random, state.data());
      REQUIRE(bits == total);
      order.to_key(state.data(), key.data());
      order.to_state(key.data(), back.data());
      REQUIRE(state == back);
      // The digits cover the key and nothing else.
      for (const Diagram::Digit& d : order.digits()) {
        key[d.word] &= ~(((u64{1} << d.bits) - 1) << d.shift);
      }
      REQUIRE(std::all_of(key.begin(), key.end(), [](Word w) { return w == 0; }));
    }
  }
}

TEST_CASE("orders that give the same keys are one order") {
  constexpr u32 kStates = 40;
  std::mt19937_64 random(6);
  u32 repeated = 0;
  for (u32 round = 0; round < 200; ++round) {
    RandomOrder made(random, 6);  // few fields: many orders are the same
    KeyOrder& order = made.order;
    std::vector<std::vector<Word>> keys(KeyOrder::kCandidates);
    std::vector<Word> states(std::size_t{kStates} * made.model.state_words, 0);
    for (u32 i = 0; i < kStates; ++i) {
      made.fill_state(random, &states[std::size_t{i} * made.model.state_words]);
    }
    for (u32 candidate = 0; candidate < KeyOrder::kCandidates; ++candidate) {
      order.choose(candidate);
      keys[candidate].resize(std::size_t{kStates} * order.key_words());
      order.to_keys(states.data(), kStates, keys[candidate].data());
      bool met = false;
      for (u32 other = candidate % 2; other < candidate; other += 2) {
        met = met || keys[other] == keys[candidate];
      }
      CHECK(order.differs(candidate) == !met);
      repeated += met ? 1 : 0;
    }
  }
  CHECK(repeated > 100);
  CHECK(repeated < 1100);
}

}  // namespace key_file_test
