#include "lower/promela/expr/channels.h"

#include <algorithm>

#include "lower/promela/expr/references.h"

namespace xmc::promela_lower {

using ir::Failure;
using promela::ChannelForm;

Value channel_number(Writer& w, const Scope& scope, ExprId channel, promela::Numbers& numbers) {
  const Value v = value(w, scope, channel);
  numbers.add(v.range);
  if (v.known() || scope.place == kNone) return v;
  const promela::Numbers proved = w.facts.channel(scope.slot, scope.place, channel);
  promela::Numbers both;
  for (u32 n = numbers.next(0); n != kNone; n = numbers.next(n + 1)) {
    if (proved.contains(n)) both.add(n);
  }
  numbers = both;
  return v;
}

void jump_unless(Writer& w, const Value& number, const ChannelChoice& c, Label& no) {
  const u32 top = w.code.top();
  if (!number.known()) {
    jump_unless_is(w, number, c.number, no);
  }
  if (c.code != 0) {
    const u32 is = constant(w, c.code);
    const u32 form = w.code.temporary();
    load_into(w, form, w.slots.channel(c.number).form);
    w.code.emit({.op = BodyOp::equal, .r = is, .a = form, .b = is});
    w.code.jump(BodyOp::jump_zero, is, no);
  }
  w.code.give_back(top);
}

namespace {

// Each of the numbers is a channel of globals, which does not end.
bool are_there(const Slots& slots, const promela::Numbers& numbers) {
  for (u32 n = numbers.next(0); n != kNone; n = numbers.next(n + 1)) {
    if (n == 0 || n > slots.static_channels()) return false;
  }
  return true;
}

}  // namespace

void fail_without_channel(Writer& w, const promela::Numbers& numbers, ExprId channel) {
  w.log.safe(are_there(w.slots, numbers));
  fail(w, Failure::no_channel, w.s.expressions[channel].place);
}

Value length(Writer& w, u32 number) {
  const ChannelSlot& channel = w.slots.channel(number);
  return channel.length == kNone ? known(0) : load_leaf(w, channel.length);
}

Value queue_value(Writer& w, const Scope& scope, const promela::Expr& e) {
  const u32 out = w.code.temporary();
  Interval range;
  for_channels(w, scope, e.a, [&](const ChannelChoice& c) {
    const Value now = length(w, c.number);
    const u32 capacity = w.s.channels[c.form].capacity;
    const u32 r = in_register(w, now);
    const Interval here = e.op == Op::length ? Interval{0, static_cast<i32>(capacity)} : ir::kTruth;
    range = ir::join(range, here);
    if (e.op == Op::length) {
      w.code.emit({.op = BodyOp::move, .r = out, .a = r});
      return;
    }
    const bool is_full = e.op == Op::is_full || e.op == Op::is_not_full;
    const bool is_negated = e.op == Op::is_not_empty || e.op == Op::is_not_full;
    // A message is in a channel without room only within a step.
    const u32 bound = constant(w, is_full ? std::max(capacity, 1u) : 0);
    w.code.emit(
        {.op = is_negated ? BodyOp::not_equal : BodyOp::equal, .r = out, .a = r, .b = bound});
  });
  if (range.empty()) range = {0, 0};
  if (range.single()) set(w, out, range.lo);
  return {out, range};
}

Value message_field(Writer& w, const ChannelChoice& c, u32 field, u32 offset) {
  const ChannelSlot& channel = w.slots.channel(c.number);
  return load(w, {channel.cells + field, offset}, w.facts.message(c.number, field));
}

void jump_unless_equal(Writer& w, const Value& a, const Value& b, Label& no) {
  if (a.known() && b.known() && a.range.lo == b.range.lo) return;
  if (ir::meet(a.range, b.range).empty()) return w.code.jump(BodyOp::jump, 0, no);
  const u32 top = w.code.top();
  const u32 left = in_register(w, a);
  const u32 right = in_register(w, b);
  const u32 is = w.code.temporary();
  w.code.emit({.op = BodyOp::equal, .r = is, .a = left, .b = right});
  w.code.jump(BodyOp::jump_zero, is, no);
  w.code.give_back(top);
}

namespace {

// To `no` unless a message matches all patterns.
void match(Writer& w, const Scope& scope, const Wanted& wanted, const ChannelChoice& c, u32 offset,
           Label& no) {
  for (u32 i = 0; i < wanted.count; ++i) {
    const Pattern& pattern = w.s.patterns[wanted.first + i];
    if (pattern.kind != PatternKind::match) continue;
    const u32 top = w.code.top();
    const Value v = value(w, scope, pattern.value);
    jump_unless_equal(w, message_field(w, c, i, offset), v, no);
    w.code.give_back(top);
  }
}

}  // namespace

// Its number and its offset are left in registers.
Found find_message(Writer& w, const Scope& scope, const Wanted& wanted, const ChannelChoice& c,
                   Label& no) {
  const ChannelForm& form = w.s.channels[c.form];
  if (form.capacity == 0) {
    w.code.jump(BodyOp::jump, 0, no);
    return {};
  }
  const u32 now = in_register(w, length(w, c.number));
  if (!wanted.all || form.capacity == 1) {
    w.code.jump(BodyOp::jump_zero, now, no);
    match(w, scope, wanted, c, kNone, no);
    return {};
  }
  const Found found{constant(w, 0), constant(w, 0)};
  const u32 head = w.code.here();
  Label inside;
  Label next;
  Label end;
  w.code.jump(BodyOp::jump_greater, now, inside, found.number);
  w.code.jump(BodyOp::jump, 0, no);
  w.code.bind(inside);
  match(w, scope, wanted, c, found.offset, next);
  w.code.jump(BodyOp::jump, 0, end);
  w.code.bind(next);
  w.code.emit({.op = BodyOp::offset, .r = found.number, .a = found.number, .b = 1});
  w.code.emit({.op = BodyOp::offset, .r = found.offset, .a = found.offset, .b = form.field_count});
  w.code.jump_back(head);
  w.code.bind(end);
  return found;
}

Value poll(Writer& w, const Scope& scope, const promela::Expr& e) {
  const u32 out = constant(w, 0);
  for_channels(w, scope, e.a, [&](const ChannelChoice& c) {
    if (e.c > w.s.channels[c.form].field_count) return fail(w, Failure::wrong_message, e.place);
    Label no;
    static_cast<void>(find_message(w, scope, {e.b, e.c, e.value != 0}, c, no));
    set(w, out, 1);
    w.code.bind(no);
  });
  return {out, ir::kTruth};
}

}  // namespace xmc::promela_lower
