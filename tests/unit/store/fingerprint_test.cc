// Fingerprints of visited states: the filter, the sample, and the log that finds keys by them.
#include <doctest/doctest.h>

#include <random>
#include <vector>

#include "platform/device_ram.h"
#include "store/fingerprint_filter.h"
#include "store/fingerprint_log.h"
#include "store/fingerprint_sample.h"
#include "store/hash_class.h"
#include "store/state_table.h"

using namespace xmc;

namespace {

struct Memory {
  explicit Memory(std::size_t bytes) : words(bytes / 8 + 1024) {
    const std::uintptr_t at = reinterpret_cast<std::uintptr_t>(words.data());
    span = {reinterpret_cast<u8*>((at + 4095) / 4096 * 4096), bytes};
  }
  std::vector<u64> words;
  std::span<u8> span;
};

}  // namespace

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

TEST_CASE("a log of fingerprints finds the keys that a filter has, and where they are") {
  constexpr u32 kPartitions = 4;
  for (u32 seed = 1; seed <= 12; ++seed) {
    std::mt19937_64 random(seed);
    const u32 words = 1 + seed % 3;
    const u32 block_bytes = seed % 2 == 0 ? 4096 : 8192;
    Memory disk(16 << 20);
    RamFolder files(disk.span);
    PartitionLog::Shape shape{kPartitions, block_bytes, words, true};
    Memory keys_memory(shape.stripe_bytes());
    Memory prints_memory(kPartitions * FingerprintLog::kBlockBytes);
    PartitionLog keys;
    FingerprintLog prints;
    Device* const keys_device = files.open("keys", Folder::Open::create).value();
    Device* const prints_device = files.open("prints", Folder::Open::create).value();
    keys.start(keys_device, "keys", Purpose::states, shape, keys_memory.span);
    prints.start(prints_device, "prints", kPartitions, prints_memory.span);

    struct Entry {
      std::vector<Word> key;
      u64 level = 0;
      u64 number = 0;
      u32 partition = 0;
      u32 fingerprint = 0;
      bool wanted = false;
    };
    std::vector<Entry> entries;
    std::vector<u32> by_number[kPartitions];
    u64 level = 0;
    const u32 count = 20000 + static_cast<u32>(random() % 20000);
    for (u32 i = 0; i < count; ++i) {
      if (random() % 50 == 0) level += random() % (seed % 4 == 0 ? 60 : 3);
      Entry entry;
      entry.level = level;
      for (u32 w = 0; w < words; ++w) entry.key.push_back(random() >> (random() % 64));
      const u64 hash = class_hash(entry.key.data(), words);
      // Partitions that fill unevenly, too.
      entry.partition = seed % 3 == 0 ? (random() % 10 == 0 ? class_of(hash, kPartitions) : 1)
                                      : class_of(hash, kPartitions);
      entry.number = keys.keys(entry.partition);
      entry.fingerprint = static_cast<u32>(hash);
      REQUIRE(entry.number == by_number[entry.partition].size());
      REQUIRE(keys.append(entry.partition, entry.key.data(), level).ok());
      REQUIRE(prints.append(keys, entry.partition, entry.fingerprint).ok());
      by_number[entry.partition].push_back(i);
      entries.push_back(entry);
      if (random() % 7000 == 0) {
        REQUIRE(keys.flush().ok());
        REQUIRE(prints.flush().ok());
        if (seed % 2 == 0) {
          REQUIRE(keys.reopen(keys_device, "keys", Purpose::states, shape, keys_memory.span,
                              keys.bytes(), keys.chain())
                      .ok());
          REQUIRE(prints
                      .reopen(prints_device, "prints", kPartitions, prints_memory.span,
                              prints.bytes(), prints.chain())
                      .ok());
        }
      }
    }

    for (const u32 rare : {1u, 3u, 100u, 5000u}) {
      std::vector<u64> filter_memory(1 << 15);
      FingerprintFilter filter;
      filter.start(filter_memory, count / rare + 1);
      const u32 first = rare == 3 ? 1 : 0;
      const u32 last = rare == 100 ? 3 : kPartitions;
      const std::vector<FingerprintFilter> filters(last - first, filter);
      u64 wanted = 0;
      for (Entry& entry : entries) {
        entry.wanted = false;
        if (random() % rare != 0) continue;
        filter.add(entry.fingerprint);
        entry.wanted = entry.partition >= first && entry.partition < last;
        wanted += entry.wanted ? 1 : 0;
      }
      Memory prints_buffer(std::size_t{seed % 3 + 1} * kPartitions * FingerprintLog::kBlockBytes);
      Memory keys_buffer(std::size_t{seed % 2 == 0 ? 1u : kPartitions} * block_bytes);
      MatchReader reader;
      reader.start(prints, prints_buffer.span, keys, keys_buffer.span);
      reader.seek(first, last, 0, ~u64{0});
      Word key[4];
      for (;;) {
        const Result<bool> more = reader.next(filters, key);
        REQUIRE(more.ok());
        if (!more.value()) break;
        REQUIRE(reader.number() < by_number[reader.partition()].size());
        const std::size_t number = static_cast<std::size_t>(reader.number());
        Entry& found = entries[by_number[reader.partition()][number]];
        REQUIRE(std::equal(key, key + words, found.key.begin()));
        REQUIRE(reader.level() <= found.level);
        REQUIRE(reader.level() + 32 * 60 >= found.level);
        wanted -= found.wanted ? 1 : 0;
        found.wanted = false;
      }
      REQUIRE(wanted == 0);
    }
  }
}

TEST_CASE("a table forgets its oldest states and keeps the others with their notes") {
  std::mt19937_64 random(3);
  for (const u32 bytes : {3u, 8u, 13u}) {
    const u32 words = (bytes + 7) / 8;
    Memory region(1 << 18);
    StateTable table;
    table.init(region.span, {words, bytes, true});
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
