// States as hashes that can be undone, their log, and candidates in partitions.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <vector>

#include "late_device.h"
#include "platform/device_ram.h"
#include "run_disk.h"
#include "store/partitions/hashed_log.h"
#include "store/partitions/partition_log.h"

using namespace xmc;

namespace hashed_log_test {

namespace {

struct Entry {
  std::vector<Word> state;
  u64 hash = 0;
  u64 level = 0;
};

// Few bits of a state vary, as in models.
std::vector<Word> random_state(std::mt19937_64& random, u32 words, u32 bytes) {
  std::vector<Word> state(words);
  for (Word& word : state) word = random() >> (random() % 64);
  if (bytes % 8 != 0) state[words - 1] &= ~Word{0} >> (64 - bytes % 8 * 8);
  return state;
}

using Numbered = std::map<std::pair<u32, u64>, const Entry*>;

Numbered number_entries(const std::vector<Entry>& entries) {
  Numbered by_number;
  u64 next[HashedLog::kPartitions] = {};
  for (const Entry& entry : entries) {
    const u32 p = StateHash::partition_of(entry.hash);
    by_number[{p, next[p]++}] = &entry;
  }
  return by_number;
}

}  // namespace

TEST_CASE("a state comes back from its hash, and neighbours are spread evenly") {
  std::mt19937_64 random(1);
  for (const u32 bits : {1u, 20u, 36u, 37u, 52u, 55u, 63u, 64u}) {
    const StateHash hash(1, bits);
    CHECK(hash.rest_bits() == std::max(bits, 36u) - 36);
    u64 count[StateHash::kPartitions] = {};
    std::set<u64> hashes;
    for (u32 i = 0; i < 20000; ++i) {
      const Word mask = ~Word{0} >> (64 - bits);
      const Word state = (i < 10000 ? Word{i} * 8 : random()) & mask;
      const u64 value = hash.hash(&state);
      const u64 above = (value >> 32 & 0xFFF'FFFF) >> hash.rest_bits();
      REQUIRE(above == 0);
      Word back = 0;
      hash.restore(value, &back);
      REQUIRE(back == state);
      hashes.insert(value);
      if (i < 10000) ++count[StateHash::partition_of(value)];
    }
    if (bits < 20) continue;
    CHECK(hashes.size() > 19000);
    for (const u64 some : count) CHECK((some > 400 && some < 900));
  }
  const StateHash hash(3, 64);
  for (u32 i = 0; i < 1000; ++i) {
    const std::vector<Word> state = random_state(random, 3, 24);
    std::vector<Word> back = {0, state[1], state[2]};
    hash.restore(hash.hash(state.data()), back.data());
    REQUIRE(back == state);
  }
}

TEST_CASE("a log of hashed states gives all of them, or those that a filter has") {
  for (u32 seed = 1; seed <= 12; ++seed) {
    std::mt19937_64 random(seed);
    const u32 words = seed == 12 ? limits::kStateWords : 1 + seed % 3;
    const u32 bytes = words * 8 - seed % 5;
    const HashedLog::Shape shape{StateHash(words, 8 * std::min(bytes, 8u)), words, bytes};
    AlignedMemory disk(96 << 20);
    RamFolder files(disk.span());
    AlignedMemory memory(HashedLog::kStripeBytes);
    HashedLog log;
    LateDevice late(*files.open("states", Folder::Open::create).value());
    log.start(&late, "states", shape, memory.span());
    std::vector<Entry> entries;
    u64 level = 0;
    u64 middle = 0;  // a stripe, and the first entry that cannot be before it
    std::size_t middle_entry = 0;
    const u32 count = 20000 + static_cast<u32>(random() % 20000);
    for (u32 i = 0; i < count; ++i) {
      if (random() % 50 == 0) level += random() % (seed % 4 == 0 ? 60 : 3);
      Entry entry{random_state(random, words, bytes), 0, level};
      entry.hash = shape.hash.hash(entry.state.data());
      REQUIRE(log.append(entry.state.data(), entry.hash, level).ok());
      entries.push_back(entry);
      if (random() % 7000 == 0) {
        REQUIRE(log.flush().ok());
        if (seed % 2 == 0) {
          REQUIRE(log.reopen(&late, "states", shape, memory.span(), log.bytes(), log.chain()).ok());
        }
        middle = log.stripes();
        middle_entry = entries.size();
      }
    }
    const Numbered by_number = number_entries(entries);
    REQUIRE(log.keys() == entries.size());
    for (const u32 rare : {0u, 1u, 3u, 100u, 5000u}) {
      std::vector<u64> filter_memory(1 << 15);
      FingerprintFilter filter;
      filter.start(filter_memory, count / std::max(rare, 1u) + 1);
      const u32 first = rare == 3 ? 1 : 0;
      const u32 last = rare == 100 ? 3 : HashedLog::kPartitions;
      std::vector<FingerprintFilter> filters;
      if (rare != 0) filters.assign(last - first, filter);
      const bool part = rare == 1;
      std::set<std::pair<u32, u64>> wanted;
      for (const auto& [number, entry] : by_number) {
        if (part && entry < entries.data() + middle_entry) continue;
        if (rare != 0 && random() % rare != 0) continue;
        filter.add(static_cast<u32>(entry->hash));
        if (number.first >= first && number.first < last) wanted.insert(number);
      }
      AlignedMemory buffer(std::size_t{seed % 5 + 1} * HashedLog::kStripeBytes);
      HashedReader reader;
      reader.start(log, buffer.span());
      reader.seek(first, last, part ? middle : 0, ~u64{0});
      std::vector<Word> state(words);
      u64 next[HashedLog::kPartitions] = {};
      for (;;) {
        const Result<bool> more = reader.next(filters, state.data());
        REQUIRE(more.ok());
        if (!more.value()) break;
        const auto found = by_number.find({reader.partition(), reader.number()});
        REQUIRE(found != by_number.end());
        REQUIRE(state == found->second->state);
        REQUIRE(reader.level() == found->second->level);
        REQUIRE(reader.number() >= next[reader.partition()]);
        next[reader.partition()] = reader.number() + 1;
        wanted.erase(found->first);
      }
      REQUIRE(wanted.empty());
    }
  }
}

TEST_CASE("a reader of hashed states can be left and begun again, and sees damage") {
  std::mt19937_64 random(5);
  const HashedLog::Shape shape{StateHash(2, 64), 2, 11};
  AlignedMemory disk(8 << 20);
  RamFolder files(disk.span());
  AlignedMemory memory(HashedLog::kStripeBytes);
  HashedLog log;
  LateDevice late(*files.open("states", Folder::Open::create).value());
  log.start(&late, "states", shape, memory.span());
  for (u32 i = 0; i < 50000; ++i) {
    const std::vector<Word> state = random_state(random, 2, 11);
    REQUIRE(log.append(state.data(), shape.hash.hash(state.data()), i / 1000).ok());
  }
  REQUIRE(log.flush().ok());
  AlignedMemory buffer(2 * HashedLog::kStripeBytes);
  HashedReader reader;
  Word state[2];
  for (u32 round = 0; round < 3; ++round) {
    reader.start(log, buffer.span());
    reader.seek(round, HashedLog::kPartitions - 4 * round, 0, ~u64{0});
    for (u32 i = 0; i < 100; ++i) REQUIRE(reader.next({}, state).value());
    REQUIRE(late.begun == round + 1);
    REQUIRE(reader.finish().ok());
  }
  for (u8& byte : disk.span().subspan(3 * HashedLog::kStripeBytes, 4096)) byte ^= 1;
  reader.start(log, buffer.span());
  reader.seek(0, HashedLog::kPartitions, 0, ~u64{0});
  Code code = Code::ok;
  for (bool more = true; more;) {
    const Result<bool> found = reader.next({}, state);
    code = found.status().code();
    more = found.ok() && found.value();
  }
  CHECK(code == Code::corrupt);
}

TEST_CASE("candidates come back from their partitions in turns") {
  std::mt19937_64 random(7);
  const PartitionLog::Shape shape{16, 8192, 2};
  AlignedMemory disk(16 << 20);
  RamFolder files(disk.span());
  AlignedMemory memory(shape.stripe_bytes());
  PartitionLog log;
  LateDevice late(*files.open("keys", Folder::Open::create).value());
  log.start(&late, "keys", Purpose::candidates, shape, memory.span());
  // What was forgotten stays before the next contents, or goes when it is much.
  u64 cuts = 0;
  for (u32 round = 0; round < 12; ++round) {
    std::vector<std::vector<std::vector<Word>>> expected(16);
    for (u32 i = 0; i < 60000; ++i) {
      const u32 p = static_cast<u32>(random() % 16);
      expected[p].push_back(random_state(random, 2, 16));
      REQUIRE(log.append(p, expected[p].back().data(), 3).ok());
    }
    AlignedMemory buffer(shape.stripe_bytes());
    for (const auto& [first, last] : {std::pair{0u, 16u}, {3u, 4u}, {2u, 9u}, {5u, 16u}}) {
      if (round % 5 > 1) break;  // a few rounds will do
      PartitionReader reader;
      reader.start(log, buffer.span());
      reader.seek(first, last);
      u64 next[16] = {};
      u64 most = 0;  // how far a partition was ahead of another
      Word key[2];
      for (;;) {
        const Result<bool> more = reader.next(key);
        REQUIRE(more.ok());
        if (!more.value()) break;
        const u32 p = reader.partition();
        REQUIRE((p >= first && p < last));
        REQUIRE(reader.number() == next[p]);
        REQUIRE(reader.level() == 3);
        REQUIRE(std::equal(key, key + 2, expected[p][next[p]].begin()));
        ++next[p];
        const auto [low, high] = std::minmax_element(next + first, next + last);
        if (next[p] < 3000) most = std::max(most, *high - *low);
      }
      for (u32 p = first; p < last; ++p) REQUIRE(next[p] == expected[p].size());
      CHECK(most < 400);
    }
    const u64 before = late.size_bytes();
    REQUIRE(log.clear().ok());
    cuts += late.size_bytes() < before ? 1 : 0;
    CHECK(log.keys() == 0);
  }
  CHECK((cuts > 0 && cuts < 6));
  CHECK(late.begun > 3);
}

}  // namespace hashed_log_test
