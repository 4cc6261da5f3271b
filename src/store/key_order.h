// KeyOrder: the bits of a state in another order, as the digits of a diagram's key.
//
// The order of fields decides the size of a diagram, up to 44-fold in our prototype; none is best
// for all models, so a few are tried on the first states and the smallest wins (see candidates).
#pragma once

#include <span>

#include "store/bit_gather.h"
#include "store/diagram.h"
#include "xmc/arena.h"
#include "xmc/model.h"

namespace xmc {

class KeyOrder {
 public:
  using Piece = BitGather::Piece;

  // Orders to choose from, each with its reverse: globals first; processes first; scalar globals,
  // then per process its location, its elements of global arrays and its locals; the same with the
  // scalars last. (All locations first looked best on the first states of anderson.6 and was the
  // worst by far later: it is not offered.)
  static constexpr u32 kCandidates = 8;

  // Room for any order of this model's fields.
  void plan(const Model& model, Arena& arena);
  void choose(u32 candidate);

  u32 state_words() const { return state_words_; }
  u32 key_words() const { return key_words_; }
  u32 most_key_words() const { return most_key_words_; }
  std::span<const Diagram::Digit> digits() const { return digits_.first(digit_count_); }
  u32 most_digits() const { return static_cast<u32>(digits_.size()); }

  // What plan() carves, at most.
  static u64 bytes_for(const Model& model);
  static u32 most_key_words(const Model& model);

  void to_key(const Word* state, Word* key) const { to_key_.apply(state, key); }
  void to_state(const Word* key, Word* state) const { to_state_.apply(key, state); }

 private:
  u32 rank(const StateField& field, u32 candidate) const;
  void add_bits(u32 word, u32 shift, u32 bits);
  void close_digit();

  std::span<const StateField> fields_;
  std::span<u32> order_;
  std::span<Piece> pieces_;
  std::span<Diagram::Digit> digits_;
  u32 piece_count_ = 0;
  u32 digit_count_ = 0;
  u32 open_bits_ = 0;  // of the digit being filled
  u32 open_pieces_ = 0;
  u32 room_ = 64;  // bits left in the last key word
  u32 key_words_ = 0;
  u32 most_key_words_ = 0;
  u32 state_words_ = 0;
  u32 process_count_ = 0;
  BitGather to_key_;
  BitGather to_state_;
};

}  // namespace xmc
