// BitGather: moves pieces of bits from some words to others, fast enough for every candidate of a
// search. What a byte (or half of one) contributes to a word is looked up: most bytes contribute to
// one word only, so that a state of n bytes takes little more than n loads.
#pragma once

#include <span>

#include "xmc/arena.h"
#include "xmc/types.h"

namespace xmc {

class BitGather {
 public:
  // A run of bits that moves as one.
  struct Piece {
    u16 from_word;
    u8 from_shift;
    u8 bits;  // at most 8
    u16 to_word;
    u8 to_shift;
    Piece reversed() const { return {to_word, to_shift, bits, from_word, from_shift}; }
  };

  // For so many pieces that make so many words.
  static u64 bytes_for(u64 most_pieces, u32 most_words);
  void plan(u64 most_pieces, u32 most_words, Arena& arena);

  // `to_words` words are made by apply().
  void build(std::span<const Piece> pieces, bool reversed, u32 to_words);
  void apply(const Word* from, Word* to) const {
    if (lookup_count_ == 0) return move_pieces(from, to);
    u32 next = 0;
    for (u32 w = 0; w < to_words_; ++w) {
      Word made = 0;
      for (const u32 end = ends_[w]; next < end; ++next) {
        const Lookup& l = lookups_[next];
        made |= table_[l.table + (static_cast<u32>(from[l.word] >> l.shift) & mask_)];
      }
      to[w] = made;
    }
  }

 private:
  struct Lookup {
    u16 word;
    u8 shift;
    u32 table;  // where its values begin
  };

  bool make_lookups(u32 part_bits);
  Piece piece(std::size_t i) const { return reversed_ ? pieces_[i].reversed() : pieces_[i]; }
  void move_pieces(const Word* from, Word* to) const;

  std::span<const Piece> pieces_;
  bool reversed_ = false;
  u32 to_words_ = 0;
  std::span<Lookup> lookups_;  // in the order of the words they are for
  std::span<u32> ends_;        // behind the lookups of each word
  std::span<Word> table_;
  u32 lookup_count_ = 0;  // 0: the table would be too large
  u32 mask_ = 0;
};

}  // namespace xmc
