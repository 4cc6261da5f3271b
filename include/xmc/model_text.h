// ModelText: what a person wants to read about a Model's states and steps. Plain tables in the
// arena, made by the lowering; used by traces, info and simulate, never by an engine.
#pragma once

#include <span>
#include <string_view>

#include "xmc/types.h"

namespace xmc {

// One field of the packed state: value = ((word >> shift) & mask(width)) + offset. Width 0 means
// the value never changes and is `offset`.
struct Slot {
  u16 word = 0;
  u8 shift = 0;
  u8 width = 0;
  i32 offset = 0;
};

inline i32 slot_value(const Slot& slot, const Word* state) {
  if (slot.width == 0) return slot.offset;
  const u64 mask = (u64{1} << slot.width) - 1;  // width is at most 32
  return static_cast<i32>(static_cast<i64>((state[slot.word] >> slot.shift) & mask) + slot.offset);
}

// A symbol has names for its values, as a location has.
enum class VariableKind : u8 { location, number, channel_length, channel_cell, symbol };

struct VariableText {
  std::string_view name;  // "x", "pos[2]", "P_0->j"; a location carries the process name: "P_0"
  VariableKind kind = VariableKind::number;
  u8 type_bits = 0;               // 8 or 16 for byte and int; bits of the slot for the rest
  bool may_be_undefined = false;  // code 0 of its slot stands for no value at all
  u32 process = kNone;            // owner, or kNone for a global
  Slot slot;
  std::span<const std::string_view> value_names;  // of a location or symbol, by value
  // It is there where the value of this slot is between these: processes come and go.
  Slot when = {};
  i32 when_low = 0;
  i32 when_high = 0;
};

inline bool is_there(const VariableText& v, const Word* state) {
  const i32 value = slot_value(v.when, state);
  return value >= v.when_low && value <= v.when_high;
}

// One transition of the text, as part of a step.
struct TransitionText {
  u32 process = kNone;
  u32 line = 0;
  std::string_view text;  // "wait -> q2 { guard j < 3; effect pos[0] = j; }", cut after 120 bytes
  std::string_view message = {};  // of one that is sent without a buffer: "c!j + 1"
  u32 partner = kNone;  // the process that takes it, where StepText has no transition of its own
};

// A channel with a buffer, and how its messages lie in the variables: field f of message i is
// variable cells + i * message_stride + f * field_stride. The oldest message is number 0.
struct ChannelText {
  std::string_view name;
  u32 length = kNone;  // a variable, too
  u32 cells = kNone;
  u32 capacity = 0;
  u32 fields = 0;
  u32 message_stride = 0;
  u32 field_stride = 0;
};

// A step is one transition, or a sender and a receiver, and in a product the property's move as
// well.
struct StepText {
  u32 transition = kNone;  // kNone: the system stutters and only the property moves
  u32 partner = kNone;
  u32 property = kNone;
};

struct PredicateText {
  // bad_prefix: whatever follows, the run violates the formula or automaton that `text` names.
  // claim_end: the property process is where that says all that is bad.
  enum class Kind : u8 { assertion, invariant, goal, bad_prefix, cover, liveness, claim_end } kind;
  u32 line = 0;  // of an assertion
  std::string_view text;
};

struct ModelText {
  std::string_view file;
  std::string_view language;  // "dve"
  std::span<const std::string_view> processes;
  std::span<const VariableText>
      variables;  // in declaration order: globals, channels, then per process
  std::span<const ChannelText> channels;
  std::span<const TransitionText> transitions;
  // By the index that Expansion::violated gives; then covers, and liveness properties.
  std::span<const PredicateText> predicates;
  std::string_view property;  // name of the property process, or empty
  // Of a formula or an automaton from elsewhere, by the bits of Model::valuation().
  std::span<const std::string_view> propositions;

  const void* self = nullptr;
  StepText (*step)(const void* self, u32 label) = nullptr;
};

}  // namespace xmc
