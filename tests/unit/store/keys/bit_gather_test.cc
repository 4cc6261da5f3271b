#include "store/keys/bit_gather.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <vector>

using namespace xmc;

namespace bit_gather_test {

namespace {

// Pieces that cut `words` words into random runs and lay them out anew in a random order.
std::vector<BitGather::Piece> random_pieces(std::mt19937& random, u32 words) {
  std::vector<BitGather::Piece> pieces;
  for (u32 w = 0; w < words; ++w) {
    for (u32 at = 0; at < 64;) {
      const u32 bits = std::min(64 - at, 1 + static_cast<u32>(random()) % 8);
      pieces.push_back({static_cast<u16>(w), static_cast<u8>(at), static_cast<u8>(bits), 0, 0});
      at += bits;
    }
  }
  std::shuffle(pieces.begin(), pieces.end(), random);
  u32 word = 0;
  u32 room = 64;
  for (BitGather::Piece& p : pieces) {
    if (p.bits > room) {
      ++word;
      room = 64;
    }
    room -= p.bits;
    p.to_word = static_cast<u16>(word);
    p.to_shift = static_cast<u8>(room);
  }
  return pieces;
}

}  // namespace

TEST_CASE("bits arrive one by one where the pieces say, and come back, at any size") {
  std::mt19937 random(5);
  std::vector<u8> memory(1 << 20);
  for (u32 round = 0; round < 60; ++round) {
    const u32 words = 1 + round % 20;  // small tables, tables of half bytes, no tables
    const std::vector<BitGather::Piece> pieces = random_pieces(random, words);
    const u32 to_words = pieces.back().to_word + 1u;
    Arena arena{std::span<u8>(memory)};
    BitGather there;
    BitGather back;
    const u64 before = arena.free_bytes();
    there.plan(pieces.size(), to_words, arena);
    REQUIRE(before - arena.free_bytes() <= BitGather::bytes_for(pieces.size(), to_words));
    back.plan(pieces.size(), words, arena);
    there.build(pieces, false, to_words);
    back.build(pieces, true, words);
    for (u32 i = 0; i < 50; ++i) {
      std::vector<Word> from(words);
      for (Word& w : from) w = Word{random()} << 32 | random();
      std::vector<Word> wanted(to_words);
      for (const BitGather::Piece& p : pieces) {
        for (u32 b = 0; b < p.bits; ++b) {
          wanted[p.to_word] |= (from[p.from_word] >> (p.from_shift + b) & 1) << (p.to_shift + b);
        }
      }
      std::vector<Word> made(to_words, ~Word{0});
      there.apply(from.data(), made.data());
      REQUIRE(made == wanted);
      std::vector<Word> again(words, ~Word{0});
      back.apply(made.data(), again.data());
      REQUIRE(again == from);
    }
  }
}

}  // namespace bit_gather_test
