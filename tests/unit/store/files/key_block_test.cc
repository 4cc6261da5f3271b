// Blocks of keys of every width, filled to their ends, with marks between levels.
#include "store/files/key_block.h"
#include "xmc/limits.h"

#include <doctest/doctest.h>

#include <memory>
#include <random>
#include <vector>

namespace xmc {
namespace key_block_test {
namespace {

TEST_CASE("full blocks of keys of any width come back with their levels") {
  std::mt19937_64 random(9);
  for (const u32 words : {1u, 2u, 3u, 4u, 5u, 7u, 8u, 9u, 16u, 17u, limits::kKeyWords}) {
    for (u32 round = 0; round < 20; ++round) {
      CAPTURE(words);
      CAPTURE(round);
      // Just as large as the block: a sanitizer sees what is read behind it.
      const auto memory = std::make_unique<u8[]>(4096);
      KeyBlockWriter writer;
      writer.start({memory.get(), 4096}, words);
      std::vector<Word> keys;
      std::vector<u64> levels;
      std::vector<Word> key(words, 0);
      u64 level = random() % 3;
      for (;;) {
        // Some keys repeat the one before, some have other bytes here and there or everywhere.
        const u32 share = static_cast<u32>(random() % 5);
        for (u32 b = 0; b < words * 8; ++b) {
          if (random() % 8 < share * share / 2) key[b / 8] ^= random() % 256 << (b % 8 * 8);
        }
        if (random() % 4 == 0) level += random() % 4;
        if (!writer.append(key.data(), levels.size(), level)) break;
        keys.insert(keys.end(), key.begin(), key.end());
        levels.push_back(level);
      }
      REQUIRE(levels.size() > 1);
      u64 checksum = 0;
      const BlockPlace place = {random(), static_cast<u16>(random()), true};
      const std::span<const u8> block = writer.seal(false, place, checksum);
      KeyBlockHeader header;
      REQUIRE(open_key_block(block, words, place, header, nullptr));
      KeyBlockReader reader;
      reader.start(block, words, header);
      for (std::size_t i = 0; i < levels.size(); ++i) {
        REQUIRE(reader.next(key.data()));
        REQUIRE(std::equal(key.begin(), key.end(), keys.begin() + static_cast<long>(i * words)));
        REQUIRE(reader.level() == levels[i]);
      }
      REQUIRE(!reader.next(key.data()));
    }
  }
}

}  // namespace

}  // namespace key_block_test
}  // namespace xmc
