// The stores of the engine `part`: the tree of partitions, images and chains of blocks.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <random>
#include <vector>

#include "platform/device_ram.h"
#include "store/partitions/chain_log.h"
#include "store/partitions/image_log.h"
#include "store/partitions/partition_tree.h"
#include "store/tables/state_table.h"

using namespace xmc;

namespace partition_store_test {

namespace {

struct Memory {
  explicit Memory(std::size_t bytes) : words(bytes / 8 + 1024) {
    const std::uintptr_t at = reinterpret_cast<std::uintptr_t>(words.data());
    base = reinterpret_cast<u8*>((at + 4095) / 4096 * 4096);
    span = {base, bytes};
  }
  std::vector<u64> words;
  u8* base = nullptr;
  std::span<u8> span;
};

}  // namespace

TEST_CASE("a tree of partitions: leaves, masks and what a checkpoint keeps of it") {
  std::mt19937_64 random(7);
  PartitionTree tree;
  tree.start(2);
  std::vector<u32> leaves = {0};
  while (tree.can_split()) {
    const u32 leaf = leaves[random() % leaves.size()];
    PartitionTree::Test test = tree.hash_test(leaf);
    if (random() % 3 != 0) {
      test.word = static_cast<u16>(random() % 2);
      test.shift = static_cast<u8>(random() % 56);
      test.width = static_cast<u8>(1 + random() % 8);
      test.pivot = 1 + random() % ((u64{1} << test.width) - 1);
    }
    const u32 low = tree.split(leaf, test);
    std::erase(leaves, leaf);
    leaves.push_back(low);
    leaves.push_back(low + 1);
  }
  REQUIRE(leaves.size() == PartitionTree::kMostLeaves);
  u64 saved[PartitionTree::kNodeWords * PartitionTree::kMostNodes];
  tree.save(saved);
  PartitionTree other;
  other.start(2);
  REQUIRE(other.restore({saved, std::size_t{PartitionTree::kNodeWords} * tree.nodes()}));
  for (u32 i = 0; i < 20000; ++i) {
    const Word state[2] = {random(), random()};
    const u32 leaf = tree.leaf_of(state);
    REQUIRE(tree.is_leaf(leaf));
    REQUIRE(other.leaf_of(state) == leaf);
    Word mask[2] = {0, 0};
    tree.add_mask(leaf, mask);
    const Word moved[2] = {state[0] ^ (random() & ~mask[0]), state[1] ^ (random() & ~mask[1])};
    REQUIRE(tree.leaf_of(moved) == leaf);
  }
  // Some of many at once.
  std::vector<Word> states(2 * 1000);
  std::vector<u32> picks;
  for (Word& word : states) word = random();
  for (u32 i = 0; i < 1000; i += 1 + random() % 3) picks.push_back(i);
  std::vector<u16> found(picks.size());
  PartitionTree plain;  // without hashes
  plain.start(2);
  plain.split(plain.split(0, {1, 60, 4, 5}), {0, 0, 64, u64{1} << 62});
  for (const PartitionTree* const t : {&tree, &other, &plain}) {
    t->leaves_of(states.data(), picks, found.data());
    for (std::size_t i = 0; i < picks.size(); ++i) {
      REQUIRE(found[i] == t->leaf_of(states.data() + 2 * picks[i]));
    }
  }
  saved[0] = u64{0xFFFF} << 16;  // children that are not there
  REQUIRE_FALSE(other.restore({saved, 2}));
}

void check_images(u32 buffers) {
  const std::size_t room = std::size_t{buffers} * ImageLog::kBlockBytes;
  Memory disk(8 << 20), buffer(room), block(room);
  RamFolder folder(disk.span);
  Device* const device = folder.open("visited", Folder::Open::create).value();
  constexpr u32 kBytes = 13;
  ImageLog log;
  log.start(device, "visited", 2, kBytes, buffer.span);
  std::mt19937_64 random(3);
  ImageLog::Chain chains[3];
  std::multimap<u32, std::vector<u8>> written;
  for (u32 round = 0; round < 30; ++round) {
    const u32 c = static_cast<u32>(random() % 3);
    for (u64 n = random() % 9000; n > 0; --n) {
      std::vector<u8> state(kBytes);
      for (u8& byte : state) byte = static_cast<u8>(random());
      REQUIRE(log.append(chains[c], state.data()).ok());
      written.emplace(c, state);
    }
    REQUIRE(log.finish(chains[c]).ok());
  }
  const u64 bytes = log.bytes(), chain = log.chain();
  REQUIRE(log.reopen(device, "visited", 2, kBytes, buffer.span, bytes, chain).ok());
  for (u32 c = 0; c < 3; ++c) {
    std::multimap<u32, std::vector<u8>> read;
    const u64 heads[3] = {0, chains[c].head, 0};
    ImageReader reader;
    REQUIRE(reader.start(log, block.span, heads).ok());
    for (;;) {
      ImageLog::Block b;
      const Result<bool> more = reader.next(b);
      REQUIRE(more.ok());
      if (!more.value()) break;
      for (u32 i = 0; i < b.states; ++i) {
        const u8* const at = b.packed.data() + i * kBytes;
        read.emplace(c, std::vector<u8>(at, at + kBytes));
      }
    }
    REQUIRE(read.count(c) == chains[c].states);
    std::vector<std::vector<u8>> a, e;
    for (const auto& [k, v] : read) a.push_back(v);
    for (const auto& [k, v] : written) {
      if (k == c) e.push_back(v);
    }
    std::sort(a.begin(), a.end());
    std::sort(e.begin(), e.end());
    REQUIRE(a == e);
  }
  // All chains one behind the other.
  const u64 heads[3] = {chains[0].head, chains[1].head, chains[2].head};
  ImageReader reader;
  REQUIRE(reader.start(log, block.span, heads).ok());
  u64 states = 0;
  ImageLog::Block b;
  for (Result<bool> more = reader.next(b); more.ok() && more.value(); more = reader.next(b)) {
    states += b.states;
  }
  CHECK(states == written.size());
  CHECK(log.read(chains[0].head + 256, block.span, b).code() == Code::corrupt);
  folder.close(device);
}

TEST_CASE("images give back what was written, and damage is seen") {
  check_images(1);
  check_images(2);
}

void check_chains(bool behind, u32 read_blocks) {
  Memory disk(96 << 20), block(std::size_t{read_blocks} * 4096);
  RamFolder folder(disk.span);
  Device* const device = folder.open("pending", Folder::Open::create).value();
  ChainLog::Shape shape;
  shape.partitions = 20;
  shape.open = 5;
  shape.gather_blocks = 3;
  shape.behind = behind;
  shape.key_words = 2;
  Memory buffer(static_cast<std::size_t>(shape.buffer_bytes()));
  ChainLog log;
  log.start(device, "pending", Purpose::candidates, shape, buffer.span);
  std::mt19937_64 random(11);
  std::vector<std::multimap<u64, u64>> expected(shape.partitions);
  for (u32 step = 0; step < 20000; ++step) {
    const u32 p = static_cast<u32>(random() % shape.partitions * (random() % 3) / 2);
    if (random() % 400 == 0) {
      REQUIRE(log.keys(p) == expected[p].size());
      ChainReader reader;
      REQUIRE(log.take(p, reader, block.span).ok());
      REQUIRE(log.keys(p) == 0);
      Word key[2];
      for (;;) {
        const Result<bool> more = reader.next(key);
        REQUIRE(more.ok());
        if (!more.value()) break;
        const auto it = expected[p].find(key[0]);
        REQUIRE(it != expected[p].end());
        REQUIRE(it->second == key[1]);
        expected[p].erase(it);
      }
      REQUIRE(expected[p].empty());
    }
    const Word key[2] = {random(), step};
    REQUIRE(log.append(p, key).ok());
    expected[p].emplace(key[0], key[1]);
  }
  folder.close(device);
}

TEST_CASE("chains with fewer blocks in memory than partitions") {
  check_chains(false, 1);
  check_chains(true, 1);
  check_chains(false, 2);
  check_chains(true, 2);
}

TEST_CASE("a table that is filled with packed states, and thinned out") {
  Memory from(1 << 20), to(1 << 20);
  const StateTable::Shape shape{2, 11, false};
  StateTable a, b;
  a.init(from.span, shape);
  std::mt19937_64 random(5);
  for (u32 i = 0; i < 20000; ++i) {
    const Word state[2] = {random(), random() & 0xFF'FFFF};
    REQUIRE(a.insert(state, 1, nullptr) == 1);
  }
  b.init(to.span, shape, a.size());
  b.append_packed({a.packed_at(0), std::size_t{a.size()} * 11}, a.size());
  b.end_packed();
  Word state[2];
  StateIndex index = 0;
  for (StateIndex i = 0; i < a.size(); ++i) {
    a.load(i, state);
    b.find(state, 1, &index);
    REQUIRE(index == i);
  }
  b.keep_if([](StateIndex i, const Word*) { return i % 3 == 1; });
  REQUIRE(b.size() == (a.size() + 1) / 3);
  for (StateIndex i = 0; i < a.size(); ++i) {
    a.load(i, state);
    b.find(state, 1, &index);
    REQUIRE(index == (i % 3 == 1 ? i / 3 : kNone));
  }
}

}  // namespace partition_store_test
