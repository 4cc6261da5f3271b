// Statements: first what has to hold in the state, then `begin`, then what changes in the
// successor. Where something cannot be executed it goes to `blocked`.
#include "lower/promela/choices.h"
#include "lower/promela/lowering.h"
#include "xmc/check.h"

namespace xmc::promela_lower {

void Lowering::begin() {
  if (asks_) return code_.jump(BodyOp::jump, 0, *yes_);
  if (!is_begun_) code_.emit({.op = BodyOp::begin});
  is_begun_ = true;
}

void Lowering::assign(const Action& a) {
  if (creates(a.value)) begin();
  const Value v = value(a.value);
  begin();
  behind_ = a.next;
  note_change(a, v);
  write(a.target, v);
  behind_ = kNone;
  is_change_ = false;
}

// A false one is noted, and the step is taken all the same.
void Lowering::assertion(const Action& a) {
  Label holds;
  if (creates(a.value)) begin();
  const u32 r = in_register(value(a.value));
  begin();
  code_.jump(BodyOp::jump_not_zero, r, holds);
  code_.emit({.op = BodyOp::blame,
              .reason = static_cast<u8>(ir::Failure::assertion),
              .note = note(a.place),
              .a = label_});
  code_.bind(holds);
}

void Lowering::set_priority(const Action& a) {
  const Value pid = value(a.channel);
  const Value number = cut(promela::Leaf{}, value(a.value));
  begin();
  for (u32 q = 0; q < slots_.count(); ++q) {
    if (!pid.range.contains(static_cast<i32>(q))) continue;
    Label next;
    const u32 top = code_.top();
    const u32 is = constant(q);
    code_.emit({.op = BodyOp::equal, .r = is, .a = in_register(pid), .b = is});
    code_.jump(BodyOp::jump_zero, is, next);
    code_.emit({.op = BodyOp::load, .r = is, .a = slots_.slot(q).place});
    code_.jump(BodyOp::jump_zero, is, next);
    write_leaf({slots_.slot(q).priority, kNone}, number);
    code_.bind(next);
    code_.give_back(top);
  }
}

// The place of the process is not changed.
void Lowering::basic(const Action& a, Label& blocked) {
  switch (a.kind) {
    case ActionKind::condition:
      if (creates(a.value)) begin();
      branch(a.value, blocked, false);
      break;
    case ActionKind::otherwise:
    case ActionKind::always:
    case ActionKind::print:
      break;
    case ActionKind::assign:
      assign(a);
      break;
    case ActionKind::send:
      for_channels(a.channel, [&](const ChannelChoice& c) { send(a, c, blocked); });
      break;
    case ActionKind::receive:
      for_channels(a.channel, [&](const ChannelChoice& c) { receive(a, c, blocked); });
      break;
    case ActionKind::assertion:
      assertion(a);
      break;
    case ActionKind::set_priority:
      set_priority(a);
      break;
    case ActionKind::indivisible:
      indivisible(a, blocked);
      break;
    case ActionKind::die:
      die(blocked);
      break;
  }
  begin();
}

}  // namespace xmc::promela_lower
