// Channels: which one an expression means, and what is asked about them.
#pragma once

#include "lower/promela/expr/values.h"

namespace xmc::promela_lower {

// A channel that a statement may use, with the form that it has then.
struct ChannelChoice {
  u32 number = 0;
  u32 form = 0;
  u32 code = 0;  // of the form, in the leaf of a channel that can be gone; else 0
};

// A message: registers of its number and of what is added to the cells of the first one; kNone for
// the first one.
struct Found {
  u32 number = kNone;
  u32 offset = kNone;
};

// What a message is compared with.
struct Wanted {
  u32 first = 0;  // System::patterns
  u32 count = 0;
  bool all = false;  // messages are looked at, not the first one only
};

// The register of the number, and the numbers that it can be.
Value channel_number(Writer& w, const Scope& scope, ExprId channel, promela::Numbers& numbers);
// Goes to `no` unless the channel of that number is there and has that form.
void jump_unless(Writer& w, const Value& number, const ChannelChoice& c, Label& no);
// The expression is none of the numbers; it is said whether it can be.
void fail_without_channel(Writer& w, const promela::Numbers& numbers, ExprId channel);
inline bool is_sure(const Value& number, const ChannelChoice& c) {
  return number.known() && c.code == 0;
}

Value queue_value(Writer& w, const Scope& scope, const promela::Expr& e);
Value poll(Writer& w, const Scope& scope, const promela::Expr& e);
Value length(Writer& w, u32 number);
// Of the message whose cells register `offset` is added to, or the first one.
Value message_field(Writer& w, const ChannelChoice& c, u32 field, u32 offset);
// Looks for the first message that matches; else it goes to `no`.
Found find_message(Writer& w, const Scope& scope, const Wanted& wanted, const ChannelChoice& c,
                   Label& no);

// f(choice) for each channel, and each form of it, that a number can mean.
template <class F>
void for_choices(const Slots& slots, const promela::Numbers& numbers, F f) {
  for (u32 n = numbers.next(1); n != kNone && n <= slots.channels(); n = numbers.next(n + 1)) {
    const ChannelSlot& channel = slots.channel(n);
    for (u32 i = 0; i < channel.form_count; ++i) {
      f(ChannelChoice{n, slots.form(channel, i), channel.form == kNone ? 0 : i + 1});
    }
  }
}

// Inside an expression or d_step: then(choice) for the one that it is; it is an error if there is
// none.
template <class Then>
void for_channels(Writer& w, const Scope& scope, ExprId channel, Then then) {
  promela::Numbers numbers;
  const Value number = channel_number(w, scope, channel, numbers);
  Label end;
  bool is_decided = false;
  for_choices(w.slots, numbers, [&](const ChannelChoice& c) {
    Label next;
    const u32 top = w.code.top();
    is_decided = is_decided || is_sure(number, c);
    jump_unless(w, number, c, next);
    then(c);
    w.code.give_back(top);
    if (!is_sure(number, c)) w.code.jump(BodyOp::jump, 0, end);
    w.code.bind(next);
  });
  if (!is_decided) fail_without_channel(w, numbers, channel);
  w.code.bind(end);
}

}  // namespace xmc::promela_lower
