// What is made for each channel that an expression can mean.
#pragma once

#include "lower/promela/lowering.h"

namespace xmc::promela_lower {

// f(choice) for each channel, and each form of it, that a number can mean.
template <class F>
void Lowering::for_choices(const promela::Numbers& numbers, F f) {
  for (u32 n = numbers.next(1); n != kNone && n <= slots_.channels(); n = numbers.next(n + 1)) {
    const ChannelSlot& channel = slots_.channel(n);
    for (u32 i = 0; i < channel.form_count; ++i) {
      f(ChannelChoice{n, slots_.form(channel, i), channel.form == kNone ? 0 : i + 1});
    }
  }
}

// Inside an expression or d_step: then(choice) for the one that it is; it is an error if there is
// none.
template <class Then>
void Lowering::for_channels(ExprId channel, Then then) {
  promela::Numbers numbers;
  const Value number = channel_number(channel, numbers);
  Label end;
  bool is_decided = false;
  for_choices(numbers, [&](const ChannelChoice& c) {
    Label next;
    const u32 top = code_.top();
    is_decided = is_decided || is_sure(number, c);
    jump_unless(number, c, next);
    then(c);
    code_.give_back(top);
    if (!is_sure(number, c)) code_.jump(BodyOp::jump, 0, end);
    code_.bind(next);
  });
  if (!is_decided) {
    note_safe(are_there(numbers));
    fail(ir::Failure::no_channel, expr(channel).place);
  }
  code_.bind(end);
}

}  // namespace xmc::promela_lower
