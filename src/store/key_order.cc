#include "store/key_order.h"

#include <algorithm>

#include "xmc/bytes.h"
#include "xmc/check.h"
#include "xmc/limits.h"

namespace xmc {

namespace {

constexpr u64 kMostTableBytes = 64 << 10;

u64 key_words_for(const Model& model) {
  u64 bits = 0;
  for (const StateField& f : model.fields) bits += f.width;
  if (model.fields.empty()) bits = u64{model.state_bytes} * 8;
  // A digit of up to 8 bits that does not fit leaves at most 7 bits of a word unused.
  return bits / 57 + 1;
}

u64 table_words(const Model& model, u32 part_bits) {
  return u64{model.state_bytes} * (8 / part_bits) * (u64{1} << part_bits) * key_words_for(model);
}

}  // namespace

u64 KeyOrder::table_bytes(const Model& model) {
  const u64 bytes = table_words(model, 8) * sizeof(Word);
  if (bytes <= kMostTableBytes) return bytes;
  const u64 small = table_words(model, 4) * sizeof(Word);
  return small <= kMostTableBytes ? small : 0;
}

void KeyOrder::plan(const Model& model, Arena& arena) {
  state_words_ = model.state_words;
  fields_ = model.fields;
  if (fields_.empty()) {
    // A model that does not tell: its bytes.
    const std::span<StateField> bytes = arena.carve_array<StateField>("order", model.state_bytes);
    for (u32 i = 0; i < model.state_bytes; ++i) {
      bytes[i] = {static_cast<u16>(i / 8), static_cast<u8>(i % 8 * 8), 8, false, kNone, kNone};
    }
    fields_ = bytes;
  }
  u64 bits = 0;
  for (const StateField& f : fields_) {
    bits += f.width;
    if (f.process != kNone) process_count_ = std::max(process_count_, f.process + 1);
  }
  // A digit holds at least one bit or piece; two more for the ends.
  const u64 most = std::min<u64>(bits, fields_.size() + bits / Diagram::kDigitBits) + 4;
  order_ = arena.carve_array<u32>("order", fields_.size());
  pieces_ = arena.carve_array<Piece>("order", most);
  digits_ = arena.carve_array<Diagram::Digit>("order", most);
  most_key_words_ = static_cast<u32>(key_words_for(model));
  state_bytes_ = model.state_bytes;
  table_ = arena.carve_array<Word>("order", table_bytes(model) / sizeof(Word), 64);
  part_bits_ = table_words(model, 8) * sizeof(Word) <= kMostTableBytes ? 8 : 4;
}

// Smaller ranks come first; equal ones keep the order of declaration.
u32 KeyOrder::rank(const StateField& f, u32 candidate) const {
  const bool global = f.process == kNone;
  const u32 last = process_count_ + 1;
  switch (candidate / 2) {
    case 0:  // globals, then processes
      return global ? 0 : 1;
    case 1:  // processes, then globals
      return global ? 1 : 0;
    default:
      break;
  }
  // Element i of a global array most often belongs to process i.
  const u32 scalars = candidate / 2 == 2 ? 0 : last;
  if (!global) return 1 + f.process;
  return f.element == kNone ? scalars : 1 + std::min(f.element, last - 1);
}

void KeyOrder::close_digit() {
  if (open_bits_ == 0) return;
  if (open_bits_ > room_) {
    ++key_words_;
    room_ = 64;
  }
  room_ -= open_bits_;
  const u16 word = static_cast<u16>(key_words_ - 1);
  digits_[digit_count_++] = {word, static_cast<u8>(room_), static_cast<u8>(open_bits_)};
  u32 below = open_bits_;
  for (u32 i = piece_count_ - open_pieces_; i < piece_count_; ++i) {
    below -= pieces_[i].bits;
    pieces_[i].to_word = word;
    pieces_[i].to_shift = static_cast<u8>(room_ + below);
  }
  open_bits_ = open_pieces_ = 0;
}

void KeyOrder::add_bits(u32 word, u32 shift, u32 bits) {
  pieces_[piece_count_++] = {static_cast<u16>(word), static_cast<u8>(shift), static_cast<u8>(bits),
                             0, 0};
  open_bits_ += bits;
  ++open_pieces_;
}

void KeyOrder::choose(u32 candidate) {
  XMC_CHECK(candidate < kCandidates);
  for (u32 i = 0; i < order_.size(); ++i) order_[i] = i;
  const bool reversed = candidate % 2 == 1;
  std::sort(order_.begin(), order_.end(), [&](u32 a, u32 b) {
    const u32 ra = rank(fields_[a], candidate);
    const u32 rb = rank(fields_[b], candidate);
    if (ra != rb) return (ra < rb) != reversed;
    return (a < b) != reversed;
  });
  piece_count_ = digit_count_ = open_bits_ = open_pieces_ = 0;
  key_words_ = 1;
  room_ = 64;
  u64 left = 0;
  for (const StateField& f : fields_) left += f.width;
  const u64 total = left;
  for (u32 i = 0; i < order_.size(); ++i) {
    const StateField& f = fields_[order_[i]];
    // High bits first. The last digit takes at most kLastBits, and there are at least two.
    for (u32 rest = f.width; rest > 0;) {
      u32 bits = std::min(rest, Diagram::kDigitBits);
      if (left > Diagram::kLastBits) {
        bits = static_cast<u32>(std::min<u64>(bits, left - Diagram::kLastBits));
      } else if (left == total) {
        bits = 1;
      }
      const bool whole_field = rest == f.width && bits == rest;
      if (open_bits_ + bits > Diagram::kDigitBits || !whole_field) close_digit();
      add_bits(f.word, f.shift + rest - bits, bits);
      rest -= bits;
      const bool before_last = left > Diagram::kLastBits && left - bits <= Diagram::kLastBits;
      if (before_last || rest > 0 || left == total) close_digit();
      left -= bits;
    }
  }
  close_digit();
  // A state of one bit has one digit, one of no bits has none; empty digits above keep the shape.
  while (digit_count_ < 2) {
    digits_[1] = digits_[0];
    digits_[0] = {};
    ++digit_count_;
  }
  XMC_CHECK(digit_count_ >= 2 && digits_[digit_count_ - 1].bits <= Diagram::kLastBits);
  XMC_CHECK(key_words_ <= most_key_words_);
  fill_table();
}

void KeyOrder::add_pieces(const Word* state, Word* key) const {
  for (const Piece& p : pieces_.first(piece_count_)) {
    const u64 bits = (state[p.from_word] >> p.from_shift) & ((u64{1} << p.bits) - 1);
    key[p.to_word] |= bits << p.to_shift;
  }
}

void KeyOrder::fill_table() {
  if (table_.empty()) return;
  fill_zero(table_);
  Word state[limits::kStateWords] = {};
  const u32 values = 1u << part_bits_;
  Word* at = table_.data();
  for (u32 bit = 0; bit < state_bytes_ * 8; bit += part_bits_) {
    for (u32 value = 0; value < values; ++value, at += key_words_) {
      state[bit / 64] = Word{value} << (bit % 64);
      add_pieces(state, at);
    }
    state[bit / 64] = 0;
  }
}

// The key stays in registers: this runs for every candidate of a search.
template <u32 kWords>
void KeyOrder::look_up(const Word* state, Word* key) const {
  Word made[kWords] = {};
  const Word* at = table_.data();
  const u32 values = 1u << part_bits_;
  u32 left = state_bytes_ * 8 / part_bits_;
  for (u32 w = 0; left > 0; ++w) {
    const u32 parts = std::min(left, 64 / part_bits_);
    Word bits = state[w];
    for (u32 i = 0; i < parts; ++i, bits >>= part_bits_, at += values * kWords) {
      const Word* const part = at + (bits & (values - 1)) * kWords;
      for (u32 k = 0; k < kWords; ++k) made[k] |= part[k];
    }
    left -= parts;
  }
  for (u32 k = 0; k < kWords; ++k) key[k] = made[k];
}

void KeyOrder::to_key(const Word* state, Word* key) const {
  if (!table_.empty()) {
    switch (key_words_) {
      case 1:
        return look_up<1>(state, key);
      case 2:
        return look_up<2>(state, key);
      case 3:
        return look_up<3>(state, key);
      case 4:
        return look_up<4>(state, key);
      default:
        break;
    }
  }
  for (u32 w = 0; w < key_words_; ++w) key[w] = 0;
  if (table_.empty()) return add_pieces(state, key);
  const u32 values = 1u << part_bits_;
  const Word* at = table_.data();
  for (u32 bit = 0; bit < state_bytes_ * 8; bit += part_bits_) {
    const u64 value = state[bit / 64] >> (bit % 64) & (values - 1);
    for (u32 w = 0; w < key_words_; ++w) key[w] |= at[value * key_words_ + w];
    at += std::size_t{values} * key_words_;
  }
}

void KeyOrder::to_state(const Word* key, Word* state) const {
  for (u32 w = 0; w < state_words_; ++w) state[w] = 0;
  for (const Piece& p : pieces_.first(piece_count_)) {
    const u64 bits = (key[p.to_word] >> p.to_shift) & ((u64{1} << p.bits) - 1);
    state[p.from_word] |= bits << p.from_shift;
  }
}

}  // namespace xmc
