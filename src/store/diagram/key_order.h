// KeyOrder: the bits of a state in another order, as the digits of a diagram's key.
//
// The order of fields decides the size of a diagram, up to 44-fold in our prototype; none is best
// for all models, so a few are tried on the first states and the smallest wins (see candidates).
//
// Digits are whole fields of up to 8 bits together. join() makes larger ones of neighbours whose
// values go together: the values that occur are numbered (store/diagram/value_codes.h), so that a
// digit may stand for many bits. Keys of wide states become short that way, and diagrams have few
// levels. (More than forty methods, because keys go both ways, one or many, plain or joined.)
#pragma once

#include <algorithm>
#include <span>

#include "store/diagram/diagram.h"
#include "store/diagram/value_codes.h"
#include "store/keys/bit_gather.h"
#include "xmc/arena.h"
#include "xmc/limits.h"
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
  static constexpr bool reversed(u32 candidate) { return candidate % 2 != 0; }

  // Room for any order of this model's fields; `joins`: join() may be called.
  void plan(const Model& model, Arena& arena, bool joins = false);
  void choose(u32 candidate);
  // Several may be one and the same for a model: whether this is the first of them.
  bool differs(u32 candidate) const { return !repeats_[candidate]; }
  // Joins digits, by keys of states in the order they were found. Keys are others from then on.
  void join(const Word* keys, u32 count, std::span<u8> scratch);
  static constexpr u64 join_scratch(u64 count) { return count * 2 + kJoinTable * 2 + 16; }
  // After to_key() has failed: a joined digit comes apart. Keys are others, but for a little more
  // scratch the other digits keep their numbers.
  Diagram::Apart split(std::span<u8> scratch);
  u64 split_scratch() const { return join_scratch(256) + u64{key_words_} * sizeof(Word) * 256; }
  u64 careful_scratch() const {
    return join_scratch(256) + u64{state_words_ + most_key_words_} * sizeof(Word) * 256;
  }

  // What join(), split() and to_keys() have made of an order, for a file: which of the digits begin
  // a joined one, and states that have the values in the order of their numbers.
  u32 plain_digits() const { return digit_count_; }
  bool begins_joined(u32 digit) const { return begins_[digit]; }
  u32 value_states() const;
  void value_state(u32 i, Word* state) const;
  // The same again for an order that was chosen: digits are joined like this, a bit for each, and
  // to_key() of the value states gives the numbers. False: that cannot be.
  bool join_at(std::span<const Word> begins);

  u32 state_words() const { return state_words_; }
  bool joined() const { return joined_; }
  u32 key_words() const { return joined_ ? joined_words_ : key_words_; }
  u32 most_key_words() const { return most_key_words_; }
  std::span<const Diagram::Digit> digits() const {
    return joined_ ? joined_digits_.first(joined_count_) : digits_.first(digit_count_);
  }
  // The same for as long as nothing is kept again and no digit is split.
  std::span<const Diagram::Digit> keep_digits();
  // Whether most keys are expected to differ from all others in long ends: of wide states.
  bool has_tails() const { return key_words_ >= Diagram::kTailKeyWords; }
  u32 most_digits() const { return static_cast<u32>(digits_.size()); }

  // What plan() carves, at most.
  static u64 bytes_for(const Model& model, bool joins = false);
  static u32 most_key_words(const Model& model);
  static u64 most_digits(const Model& model);

  // Keys of some states. False: a joined digit has no number left for a value; split() and make
  // all keys anew.
  bool to_keys(const Word* states, u32 count, Word* keys) {
    if (joined_) return codes_.encode(states, count, keys, {state_words_, joined_words_});
    gather_keys(states, count, keys);
    return true;
  }
  // For several threads. False: one of them has a value that no state before had.
  bool find_keys(const Word* states, u32 count, Word* keys) const {
    if (joined_) return codes_.find(states, count, keys, {state_words_, joined_words_});
    gather_keys(states, count, keys);
    return true;
  }
  void to_states(const Word* keys, u32 count, Word* states) const {
    if (joined_) return codes_.decode(keys, count, states, {state_words_, joined_words_});
    for (u32 i = 0; i < count; ++i) {
      to_state_.apply(keys + u64{i} * key_words_, states + u64{i} * state_words_);
    }
  }
  bool to_key(const Word* state, Word* key) { return to_keys(state, 1, key); }
  bool find_key(const Word* state, Word* key) const { return find_keys(state, 1, key); }
  void to_state(const Word* key, Word* state) const { to_states(key, 1, state); }
  // States or keys that are worth coding together: what fits a buffer of kBlockWords words.
  static constexpr u32 kBlockWords = 512;
  u32 block() const { return kBlockWords / std::max(state_words_, most_key_words_); }

 private:
  // Values of a joined digit that are expected at most, where there are numbers for 256.
  static constexpr u32 kJoinValues = 160;
  static constexpr u32 kJoinLast = 24;  // of the last digit, which has 32 at most
  static constexpr u64 kJoinTable = u64{kJoinValues} << Diagram::kDigitBits;

  static constexpr u32 kSplitValues = 64;  // of a part of one that had too many

  void gather_keys(const Word* states, u32 count, Word* keys) const {
    for (u32 i = 0; i < count; ++i) {
      to_key_.apply(states + u64{i} * state_words_, keys + u64{i} * key_words_);
    }
  }
  struct JoinSample;
  void join_range(JoinSample& sample, u32 begin, u32 end, u32 most, u32 doublings);
  bool touches_few_words(u32 begin, u32 end) const;
  u32 first_piece(u32 digit) const;
  bool lay_out_joined();
  u32 take_apart(u32 group, Word* keys);
  u32 rank(const StateField& field, u32 candidate) const;
  bool before(u32 field, u32 other, u32 candidate) const;
  void sort_fields(u32 candidate);
  void find_repeats();
  void add_bits(u32 word, u32 shift, u32 bits);
  void close_digit();

  std::span<const StateField> fields_;
  std::span<u32> order_;
  bool repeats_[kCandidates] = {};
  std::span<Piece> pieces_;
  std::span<Diagram::Digit> digits_;
  std::span<Diagram::Digit> digits_before_;  // choose() or split()
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

  bool joined_ = false;
  std::span<bool> begins_;  // whether a joined digit begins with this digit
  std::span<Diagram::Digit> joined_digits_;
  u32 joined_count_ = 0;
  u32 joined_words_ = 0;  // of a key
  u32 joined_room_ = 0;   // bits left in the last one
  ValueCodes codes_;
};

}  // namespace xmc
