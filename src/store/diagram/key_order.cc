#include "store/diagram/key_order.h"

#include <algorithm>
#include <utility>

#include "xmc/bytes.h"
#include "xmc/check.h"
#include "xmc/limits.h"

namespace xmc {

namespace {

// A digit holds at least one bit or piece; some more for the ends.
u64 most_pieces(u64 bits, u64 fields) {
  return std::min<u64>(bits, fields + bits / Diagram::kDigitBits) + 4;
}

}  // namespace

u32 KeyOrder::most_key_words(const Model& model) {
  u64 bits = 0;
  for (const StateField& f : model.fields) bits += f.width;
  if (model.fields.empty()) bits = u64{model.state_bytes} * 8;
  // A digit of up to 8 bits that does not fit leaves at most 7 bits of a word unused.
  constexpr u32 kLeastBits = 64 - (Diagram::kDigitBits - 1);
  static_assert(limits::kStateWords * 64 / kLeastBits + 1 <= limits::kKeyWords);
  return static_cast<u32>(bits / kLeastBits + 1);
}

u64 KeyOrder::most_digits(const Model& model) {
  u64 bits = 0;
  for (const StateField& f : model.fields) bits += f.width;
  if (!model.fields.empty()) return most_pieces(bits, model.fields.size());
  return most_pieces(u64{model.state_bytes} * 8, model.state_bytes);
}

u64 KeyOrder::bytes_for(const Model& model, bool joins) {
  u64 bits = 0;
  for (const StateField& f : model.fields) bits += f.width;
  u64 fields = model.fields.size();
  u64 bytes = 0;
  if (model.fields.empty()) {
    fields = model.state_bytes;
    bits = fields * 8;
    bytes = fields * sizeof(StateField);
  }
  const u64 most = most_pieces(bits, fields);
  const u64 joined = most * (sizeof(Diagram::Digit) + sizeof(bool)) + 8 * alignof(u64) +
                     ValueCodes::bytes_for(most, bits);
  return bytes + fields * sizeof(u32) + most * (sizeof(Piece) + 2 * sizeof(Diagram::Digit)) +
         BitGather::bytes_for(most, most_key_words(model)) +
         BitGather::bytes_for(most, model.state_words) + 8 * alignof(u64) + (joins ? joined : 0);
}

void KeyOrder::plan(const Model& model, Arena& arena, bool joins) {
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
  const u64 most = most_pieces(bits, fields_.size());
  order_ = arena.carve_array<u32>("order", fields_.size());
  pieces_ = arena.carve_array<Piece>("order", most);
  digits_ = arena.carve_array<Diagram::Digit>("order", most);
  digits_before_ = arena.carve_array<Diagram::Digit>("order", most);
  most_key_words_ = most_key_words(model);
  find_repeats();
  to_key_.plan(most, most_key_words_, arena);
  to_state_.plan(most, state_words_, arena);
  if (!joins) return;
  begins_ = arena.carve_array<bool>("order", most);
  joined_digits_ = arena.carve_array<Diagram::Digit>("order", most);
  codes_.plan(most, bits, arena);
}

std::span<const Diagram::Digit> KeyOrder::keep_digits() {
  const std::span<const Diagram::Digit> now = digits();
  std::copy(now.begin(), now.end(), digits_before_.begin());
  return digits_before_.first(now.size());
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

bool KeyOrder::before(u32 field, u32 other, u32 candidate) const {
  if (reversed(candidate)) std::swap(field, other);
  const u32 r = rank(fields_[field], candidate);
  const u32 of_other = rank(fields_[other], candidate);
  return r != of_other ? r < of_other : field < other;
}

void KeyOrder::sort_fields(u32 candidate) {
  for (u32 i = 0; i < order_.size(); ++i) order_[i] = i;
  std::sort(order_.begin(), order_.end(), [&](u32 a, u32 b) { return before(a, b, candidate); });
}

// What is sorted for both of two orders is one order. A reversed one is not compared with others:
// it has to be better to be chosen.
void KeyOrder::find_repeats() {
  for (u32 candidate = 0; candidate < kCandidates; ++candidate) {
    sort_fields(candidate);
    repeats_[candidate] = false;
    for (u32 other = candidate % 2; other < candidate; other += 2) {
      repeats_[candidate] |= std::is_sorted(order_.begin(), order_.end(),
                                            [&](u32 a, u32 b) { return before(a, b, other); });
    }
  }
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
  sort_fields(candidate);
  joined_ = false;
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
  const std::span<const Piece> pieces = pieces_.first(piece_count_);
  to_key_.build(pieces, false, key_words_);
  to_state_.build(pieces, true, state_words_);
}

}  // namespace xmc
