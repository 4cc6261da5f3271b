// KeyOrder::join: which neighbouring digits become one.
#include <algorithm>

#include "store/diagram/key_order.h"
#include "xmc/bytes.h"
#include "xmc/check.h"

namespace xmc {

namespace {

// How often the number of states is going to double, with as many more values each time as came
// with the second half of the first ones. A digit less saves time with every key, a split costs
// some: with 3, 4 and 6 doublings lifts.7 takes 2.40, 2.38 and 2.72 s, plc.4 2.53, 2.30 and 2.49 s
// (it splits digits three times with none), measured when a split meant to build the set again.
constexpr u32 kDoublings = 4;

}  // namespace

// Keys, and for each the number of its value of the digits that are joined so far.
struct KeyOrder::JoinSample {
  const Word* keys;
  u32 count;
  u32 words;
  u16* numbers;
  u16* table;  // number and digit to the number after joining, plus one
  u32 values;

  void begin() {
    std::fill_n(numbers, count, u16{0});
    values = 1;
  }

  // Joins one more digit unless its values seem to become more than `most` with all states.
  bool join(const Diagram::Digit& d, u32 most, u32 doublings) {
    std::fill_n(table, u64{values} << Diagram::kDigitBits, u16{0});
    const auto entry = [&](u32 i) -> u16& {
      const Word digit = keys[u64{i} * words + d.word] >> d.shift & ((Word{1} << d.bits) - 1);
      return table[u32{numbers[i]} << Diagram::kDigitBits | static_cast<u32>(digit)];
    };
    u32 joined = 0;
    u32 first_half = 0;
    for (u32 i = 0; i < count; ++i) {
      if (i == count / 2) first_half = std::max(joined, 1u);
      if (entry(i) != 0) continue;
      if (joined == most) return false;
      entry(i) = static_cast<u16>(++joined);
    }
    u64 forecast = joined;
    for (u32 i = 0; i < doublings; ++i) forecast = forecast * joined / first_half;
    if (forecast > most) return false;
    for (u32 i = 0; i < count; ++i) numbers[i] = static_cast<u16>(entry(i) - 1);
    values = joined;
    return true;
  }
};

// The pieces are in the order of the digits.
u32 KeyOrder::first_piece(u32 digit) const {
  if (digit == digit_count_) return piece_count_;
  const Diagram::Digit& d = digits_[digit];
  u32 piece = 0;
  while (pieces_[piece].to_word != d.word || pieces_[piece].to_shift >= d.shift + d.bits) ++piece;
  return piece;
}

bool KeyOrder::touches_few_words(u32 begin, u32 end) const {
  u32 words[ValueCodes::kMostParts];
  u32 count = 0;
  for (u32 p = first_piece(begin); p < first_piece(end); ++p) {
    const u32 word = pieces_[p].from_word;
    if (std::find(words, words + count, word) != words + count) continue;
    if (count == ValueCodes::kMostParts) return false;
    words[count++] = word;
  }
  return true;
}

void KeyOrder::join(const Word* keys, u32 count, std::span<u8> scratch) {
  XMC_CHECK(!joined_);
  XMC_CHECK(join_scratch(count) <= scratch.size());
  // Digits of no bits only keep the shape.
  if (count == 0 || digits_[0].bits == 0) return;
  JoinSample sample{keys, count, key_words_, reinterpret_cast<u16*>(scratch.data()), nullptr, 1};
  sample.table = sample.numbers + count;
  std::fill_n(begins_.begin(), digit_count_, false);
  // The last digit from the back, the others from the front.
  u32 last = digit_count_ - 1;
  sample.begin();
  if (sample.join(digits_[last], kJoinLast, kDoublings)) {
    while (last > 1 && touches_few_words(last - 1, digit_count_) &&
           sample.join(digits_[last - 1], kJoinLast, kDoublings)) {
      --last;
    }
  }
  begins_[last] = true;
  join_range(sample, 0, last, kJoinValues, kDoublings);
  const bool laid_out = lay_out_joined();
  // Numbers take longer to make than bits to move: with 9 digits of 10 brp.6 would take 3% longer,
  // with 8 of 10 or 6 of 7 bakery.5 and lamport.6 take 6 and 3% less.
  const bool pays = joined_words_ < key_words_ || joined_count_ * 8 <= digit_count_ * 7;
  joined_ = laid_out && pays;
}

// Joins within a range of digits what fits together.
void KeyOrder::join_range(JoinSample& sample, u32 begin, u32 end, u32 most, u32 doublings) {
  u32 from = begin;
  bool joinable = false;
  for (u32 d = begin; d < end; ++d) {
    if (joinable && touches_few_words(from, d + 1) && sample.join(digits_[d], most, doublings)) {
      continue;
    }
    from = d;
    begins_[d] = true;
    sample.begin();
    joinable = sample.join(digits_[d], most, doublings);
  }
}

// What made the values many comes apart, by the values that there are. Returns how many digits it
// becomes.
u32 KeyOrder::take_apart(u32 group, Word* keys) {
  u32 begin = 0;
  for (u32 g = 0; !begins_[begin] || g++ != group;) ++begin;
  u32 end = begin + 1;
  while (end < digit_count_ && !begins_[end]) ++end;
  XMC_CHECK(end - begin >= 2);
  const u32 count = codes_.codes(group);
  for (u32 code = 0; code < count; ++code) {
    Word state[limits::kStateWords] = {};
    codes_.put_value(group, code, state);
    to_key_.apply(state, keys + u64{code} * key_words_);
  }
  JoinSample sample{keys, count, key_words_, nullptr, nullptr, 1};
  sample.numbers = reinterpret_cast<u16*>(keys + u64{count} * key_words_);
  sample.table = sample.numbers + count;
  // The last digit keeps what it can hold for sure.
  const bool last = end == digit_count_;
  if (last) begins_[--end] = true;
  join_range(sample, begin, end, kSplitValues, 0);
  return static_cast<u32>(std::count(&begins_[begin], &begins_[begin] + (end - begin), true)) +
         (last ? 1 : 0);
}

Diagram::Apart KeyOrder::split(std::span<u8> scratch) {
  XMC_CHECK(joined_);
  XMC_CHECK(scratch.size() >= split_scratch());
  Diagram::Apart apart;
  apart.level = codes_.full_group();
  apart.before = keep_digits();
  auto* keys = reinterpret_cast<Word*>(scratch.data());
  Word* const states = keys;
  const u32 values = scratch.size() >= careful_scratch() ? value_states() : 0;
  for (u32 i = 0; i < values; ++i) value_state(i, states + u64{i} * state_words_);
  keys += u64{values} * state_words_;
  const u32 parts = take_apart(apart.level, keys);
  joined_ = lay_out_joined();
  if (!joined_ || values == 0) return apart;
  // Other digits have the same values as before, and parts of a digit fewer than it had.
  XMC_CHECK(to_keys(states, values, keys));
  apart.parts = parts;
  apart.keys = keys;
  const u8* const end = reinterpret_cast<u8*>(keys + u64{values} * joined_words_);
  apart.spare = scratch.subspan(static_cast<std::size_t>(end - scratch.data()));
  return apart;
}

u32 KeyOrder::value_states() const {
  u32 most = 0;
  for (u32 g = 0; g < codes_.groups(); ++g) most = std::max(most, codes_.codes(g));
  return most;
}

// A group with fewer values has its first one.
void KeyOrder::value_state(u32 i, Word* state) const {
  std::fill_n(state, state_words_, Word{0});
  for (u32 g = 0; g < codes_.groups(); ++g) {
    if (codes_.codes(g) > 0) codes_.put_value(g, i < codes_.codes(g) ? i : 0, state);
  }
}

bool KeyOrder::join_at(std::span<const Word> begins) {
  XMC_CHECK(!joined_);
  XMC_CHECK(begins.size() == divide_up(digit_count_, 64));
  for (u32 d = 0; d < digit_count_; ++d) begins_[d] = (begins[d / 64] >> d % 64 & 1) != 0;
  if (!begins_[0]) return false;
  for (u32 begin = 0, end = 1; begin < digit_count_; begin = end++) {
    while (end < digit_count_ && !begins_[end]) ++end;
    if (!touches_few_words(begin, end)) return false;
  }
  joined_ = lay_out_joined();
  return joined_;
}

// Places of the joined digits in the key, which have no numbers yet. False: not enough memory.
bool KeyOrder::lay_out_joined() {
  codes_.clear();
  joined_count_ = 0;
  joined_words_ = 1;
  joined_room_ = 64;
  for (u32 begin = 0, end = 0; begin < digit_count_; begin = end) {
    u32 bits = 0;
    do bits += digits_[end++].bits;
    while (end < digit_count_ && !begins_[end]);
    bits = std::min(bits, end == digit_count_ ? Diagram::kLastBits : Diagram::kDigitBits);
    ValueCodes::Part parts[ValueCodes::kMostParts];
    u32 count = 0;
    for (u32 p = first_piece(begin); p < first_piece(end); ++p) {
      const Piece& piece = pieces_[p];
      u32 i = 0;
      while (i < count && parts[i].word != piece.from_word) ++i;
      if (i == count) parts[count++] = {piece.from_word, 0};
      parts[i].mask |= ((Word{1} << piece.bits) - 1) << piece.from_shift;
    }
    if (bits > joined_room_) {
      ++joined_words_;
      joined_room_ = 64;
    }
    joined_room_ -= bits;
    joined_digits_[joined_count_++] = {static_cast<u16>(joined_words_ - 1),
                                       static_cast<u8>(joined_room_), static_cast<u8>(bits)};
    if (!codes_.add({parts, count}, bits, joined_words_ - 1, joined_room_)) return false;
  }
  XMC_CHECK(joined_words_ <= most_key_words_);
  return joined_count_ >= 2;
}

}  // namespace xmc
