// Channels: which one an expression means, and what is asked about them.
#include <algorithm>

#include "lower/promela/choices.h"
#include "lower/promela/lowering.h"
#include "xmc/check.h"

namespace xmc::promela_lower {

using ir::Failure;
using promela::ChannelForm;

namespace {

constexpr u8 reason(Failure failure) { return static_cast<u8>(failure); }

}  // namespace

// The register of the number, and the numbers that it can be.
Value Lowering::channel_number(ExprId channel, promela::Numbers& numbers) {
  const Value v = value(channel);
  numbers.add(v.range);
  if (v.known() || frame_.place == kNone) return v;
  const promela::Numbers proved = facts_.channel(frame_.slot, frame_.place, channel);
  promela::Numbers both;
  for (u32 n = numbers.next(0); n != kNone; n = numbers.next(n + 1)) {
    if (proved.contains(n)) both.add(n);
  }
  numbers = both;
  return v;
}

// Goes to `no` unless the channel of that number is there and has that form.
void Lowering::jump_unless(const Value& number, const ChannelChoice& c, Label& no) {
  const u32 top = code_.top();
  if (!number.known()) {
    const u32 is = constant(c.number);
    code_.emit({.op = BodyOp::equal, .r = is, .a = number.reg, .b = is});
    code_.jump(BodyOp::jump_zero, is, no);
  }
  if (c.code != 0) {
    const u32 is = constant(c.code);
    const u32 form = code_.temporary();
    code_.emit({.op = BodyOp::load, .r = form, .a = slots_.channel(c.number).form});
    code_.emit({.op = BodyOp::equal, .r = is, .a = form, .b = is});
    code_.jump(BodyOp::jump_zero, is, no);
  }
  code_.give_back(top);
}

bool Lowering::is_sure(const Value& number, const ChannelChoice& c) const {
  return number.known() && c.code == 0;
}

// Each of the numbers is a channel of globals, which does not end.
bool Lowering::are_there(const promela::Numbers& numbers) const {
  for (u32 n = numbers.next(0); n != kNone; n = numbers.next(n + 1)) {
    if (n == 0 || n > slots_.static_channels()) return false;
  }
  return true;
}

void Lowering::fail(Failure failure, Span place) {
  code_.emit({.op = BodyOp::fail, .reason = reason(failure), .note = note(place)});
}

Value Lowering::length(u32 number) {
  const ChannelSlot& channel = slots_.channel(number);
  return channel.length == kNone ? known(0) : load_leaf(channel.length);
}

Value Lowering::queue_value(ExprId id) {
  const promela::Expr& e = expr(id);
  const u32 out = code_.temporary();
  Interval range;
  for_channels(e.a, [&](const ChannelChoice& c) {
    const Value now = length(c.number);
    const u32 capacity = s_.channels[c.form].capacity;
    const u32 r = in_register(now);
    const Interval here = e.op == Op::length ? Interval{0, static_cast<i32>(capacity)} : ir::kTruth;
    range = ir::join(range, here);
    if (e.op == Op::length) {
      code_.emit({.op = BodyOp::move, .r = out, .a = r});
      return;
    }
    const bool is_full = e.op == Op::is_full || e.op == Op::is_not_full;
    const bool is_negated = e.op == Op::is_not_empty || e.op == Op::is_not_full;
    // A message is in a channel without room only within a step.
    const u32 bound = constant(is_full ? std::max(capacity, 1u) : 0);
    code_.emit(
        {.op = is_negated ? BodyOp::not_equal : BodyOp::equal, .r = out, .a = r, .b = bound});
  });
  if (range.empty()) range = {0, 0};
  if (range.single()) set(out, range.lo);
  return {out, range};
}

// Of the message whose cells register `offset` is added to, or the first one.
Value Lowering::message_field(const ChannelChoice& c, u32 field, u32 offset) {
  const ChannelSlot& channel = slots_.channel(c.number);
  return load({channel.cells + field, offset}, facts_.message(c.number, field));
}

// To `no` unless both are equal.
void Lowering::jump_unless_equal(const Value& a, const Value& b, Label& no) {
  if (a.known() && b.known() && a.range.lo == b.range.lo) return;
  if (ir::meet(a.range, b.range).empty()) return code_.jump(BodyOp::jump, 0, no);
  const u32 top = code_.top();
  const u32 left = in_register(a);
  const u32 right = in_register(b);
  const u32 is = code_.temporary();
  code_.emit({.op = BodyOp::equal, .r = is, .a = left, .b = right});
  code_.jump(BodyOp::jump_zero, is, no);
  code_.give_back(top);
}

// To `no` unless a message matches all patterns.
void Lowering::match(u32 first, u32 count, const ChannelChoice& c, u32 offset, Label& no) {
  for (u32 i = 0; i < count; ++i) {
    const Pattern& pattern = s_.patterns[first + i];
    if (pattern.kind != PatternKind::match) continue;
    const u32 top = code_.top();
    const Value wanted = value(pattern.value);
    jump_unless_equal(message_field(c, i, offset), wanted, no);
    code_.give_back(top);
  }
}

// Looks for the first message that matches, or at the first one only; else it goes to `no`. Leaves
// its number and its offset in registers, which are kNone for the first one.
Lowering::Found Lowering::find_message(u32 first, u32 count, bool all, const ChannelChoice& c,
                                       Label& no) {
  const ChannelForm& form = s_.channels[c.form];
  if (form.capacity == 0) {
    code_.jump(BodyOp::jump, 0, no);
    return {};
  }
  const u32 now = in_register(length(c.number));
  if (!all || form.capacity == 1) {
    code_.jump(BodyOp::jump_zero, now, no);
    match(first, count, c, kNone, no);
    return {};
  }
  const Found found{constant(0), constant(0)};
  const u32 head = code_.here();
  Label inside;
  Label next;
  Label end;
  code_.jump(BodyOp::jump_greater, now, inside, found.number);
  code_.jump(BodyOp::jump, 0, no);
  code_.bind(inside);
  match(first, count, c, found.offset, next);
  code_.jump(BodyOp::jump, 0, end);
  code_.bind(next);
  code_.emit({.op = BodyOp::offset, .r = found.number, .a = found.number, .b = 1});
  code_.emit({.op = BodyOp::offset, .r = found.offset, .a = found.offset, .b = form.field_count});
  code_.jump_back(head);
  code_.bind(end);
  return found;
}

Value Lowering::poll(ExprId id) {
  const promela::Expr& e = expr(id);
  const u32 out = constant(0);
  for_channels(e.a, [&](const ChannelChoice& c) {
    if (e.c > s_.channels[c.form].field_count) return fail(Failure::wrong_message, e.place);
    Label no;
    static_cast<void>(find_message(e.b, e.c, e.value != 0, c, no));
    set(out, 1);
    code_.bind(no);
  });
  return {out, ir::kTruth};
}

}  // namespace xmc::promela_lower
