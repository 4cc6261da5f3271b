#include "lower/promela/move/statements.h"

#include "lower/promela/expr/channels.h"
#include "lower/promela/expr/references.h"
#include "lower/promela/move/death.h"
#include "lower/promela/move/indivisible.h"
#include "lower/promela/move/messages.h"

namespace xmc::promela_lower {

namespace {

// Of the assignment x = x + c, if it cannot wrap around.
Change change_of(const promela::System& s, const Action& a, const Value& v) {
  const promela::Expr& e = s.expressions[a.value];
  if (e.op != Op::add && e.op != Op::subtract) return {};
  const promela::Expr& left = s.expressions[e.a];
  const promela::Expr& right = s.expressions[e.b];
  if (left.op != Op::load || right.op != Op::literal || right.value == ir::kEverything.lo)
    return {};
  const Reference& from = s.references[left.a];
  const Reference& to = s.references[a.target];
  const Interval fits = promela::range_of(to.leaf_type);
  const bool is_one = from.scope == to.scope && from.leaf == to.leaf && from.index_count == 0 &&
                      to.index_count == 0 && to.scope != promela::Scope::remote &&
                      v.range.inside(fits.lo, fits.hi);
  return {is_one, e.op == Op::add ? right.value : -right.value};
}

void assign(Writer& w, Step& step, const Action& a) {
  if (creates(w.s, a.value)) begin_step(w, step);
  const Value v = value(w, step.scope, a.value);
  begin_step(w, step);
  write(w, step.scope, a.target, v, a.next, change_of(w.s, a, v));
}

// A false one is noted, and the step is taken all the same.
void assertion(Writer& w, Step& step, const Action& a) {
  Label holds;
  if (creates(w.s, a.value)) begin_step(w, step);
  const u32 r = in_register(w, value(w, step.scope, a.value));
  begin_step(w, step);
  w.code.jump(BodyOp::jump_not_zero, r, holds);
  w.code.emit({.op = BodyOp::blame,
               .reason = static_cast<u8>(ir::Failure::assertion),
               .note = note(w, a.place),
               .a = step.label});
  w.code.bind(holds);
}

void set_priority(Writer& w, Step& step, const Action& a) {
  const Value pid = value(w, step.scope, a.channel);
  const Value number = cut(w, promela::Leaf{}, value(w, step.scope, a.value));
  begin_step(w, step);
  for (u32 q = 0; q < w.slots.count(); ++q) {
    if (!pid.range.contains(static_cast<i32>(q))) continue;
    Label next;
    const u32 top = w.code.top();
    const u32 there = jump_unless_is(w, pid, q, next);
    load_into(w, there, w.slots.slot(q).place);
    w.code.jump(BodyOp::jump_zero, there, next);
    write_leaf(w, {w.slots.slot(q).priority, kNone}, number);
    w.code.bind(next);
    w.code.give_back(top);
  }
}

}  // namespace

void basic(Writer& w, Step& step, const Action& a, Label& blocked) {
  switch (a.kind) {
    case ActionKind::condition:
      if (creates(w.s, a.value)) begin_step(w, step);
      branch(w, step.scope, a.value, blocked, false);
      break;
    case ActionKind::otherwise:
    case ActionKind::always:
    case ActionKind::print:
      break;
    case ActionKind::assign:
      assign(w, step, a);
      break;
    case ActionKind::send:
      for_channels(w, step.scope, a.channel,
                   [&](const ChannelChoice& c) { send(w, step, a, c, blocked); });
      break;
    case ActionKind::receive:
      for_channels(w, step.scope, a.channel,
                   [&](const ChannelChoice& c) { receive(w, step, a, c, blocked); });
      break;
    case ActionKind::assertion:
      assertion(w, step, a);
      break;
    case ActionKind::set_priority:
      set_priority(w, step, a);
      break;
    case ActionKind::indivisible:
      indivisible(w, step, a, blocked);
      break;
    case ActionKind::die:
      die(w, step, blocked);
      break;
  }
  begin_step(w, step);
}

}  // namespace xmc::promela_lower
