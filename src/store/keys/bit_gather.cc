#include "store/keys/bit_gather.h"

#include <algorithm>

#include "xmc/check.h"

namespace xmc {

namespace {

// A piece of up to 8 bits touches at most three parts of 4.
constexpr u64 lookups_for(u64 pieces) { return 3 * pieces; }

// Tables that would push other things out of the first cache are for wide states only, where the
// pieces themselves are slower still.
constexpr u64 table_bytes(u64 pieces) { return pieces <= 100 ? 32 << 10 : 64 << 10; }

}  // namespace

u64 BitGather::bytes_for(u64 most_pieces, u32 most_words) {
  return lookups_for(most_pieces) * sizeof(Lookup) + u64{most_words} * sizeof(u32) +
         table_bytes(most_pieces) + 3 * kLineBytes;
}

void BitGather::plan(u64 most_pieces, u32 most_words, Arena& arena) {
  lookups_ = arena.carve_array<Lookup>("order", lookups_for(most_pieces));
  ends_ = arena.carve_array<u32>("order", most_words);
  table_ = arena.carve_array<Word>("order", table_bytes(most_pieces) / sizeof(Word), kLineBytes);
}

void BitGather::build(std::span<const Piece> pieces, bool reversed, u32 to_words) {
  XMC_CHECK(to_words <= ends_.size());
  pieces_ = pieces;
  reversed_ = reversed;
  to_words_ = to_words;
  if (!make_lookups(8) && !make_lookups(4)) lookup_count_ = 0;
}

// False: no room for the tables.
bool BitGather::make_lookups(u32 part_bits) {
  const u32 values = 1u << part_bits;
  mask_ = values - 1;
  lookup_count_ = 0;
  u32 used = 0;
  for (u32 w = 0; w < to_words_; ++w) {
    const u32 first = lookup_count_;
    for (std::size_t i = 0; i < pieces_.size(); ++i) {
      const Piece p = piece(i);
      if (p.to_word != w) continue;
      const u32 end = u32{p.from_shift} + p.bits;
      for (u32 part = p.from_shift / part_bits * part_bits; part < end; part += part_bits) {
        const auto same = [&](const Lookup& l) { return l.word == p.from_word && l.shift == part; };
        Lookup* found = std::find_if(&lookups_[first], lookups_.data() + lookup_count_, same);
        if (found == lookups_.data() + lookup_count_) {
          if (used + values > table_.size() || lookup_count_ == lookups_.size()) return false;
          lookups_[lookup_count_++] = {p.from_word, static_cast<u8>(part), used};
          std::fill_n(&table_[used], values, Word{0});
          used += values;
        }
        // The piece's bits of this part, for each value of the part.
        const Word bits = ((Word{1} << p.bits) - 1) << p.from_shift;
        for (u32 value = 0; value < values; ++value) {
          const Word moved = (Word{value} << part & bits) >> p.from_shift << p.to_shift;
          table_[found->table + value] |= moved;
        }
      }
    }
    ends_[w] = lookup_count_;
  }
  return true;
}

void BitGather::move_pieces(const Word* from, Word* to) const {
  std::fill_n(to, to_words_, Word{0});
  for (std::size_t i = 0; i < pieces_.size(); ++i) {
    const Piece p = piece(i);
    to[p.to_word] |= (from[p.from_word] >> p.from_shift & ((Word{1} << p.bits) - 1)) << p.to_shift;
  }
}

}  // namespace xmc
