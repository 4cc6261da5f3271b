#include "lower/promela/move/messages.h"

#include "lower/promela/expr/references.h"
#include "lower/promela/move/events.h"
#include "xmc/scratch.h"

namespace xmc::promela_lower {

using promela::ChannelForm;

bool check_count(Writer& w, const Action& a, const ChannelChoice& c) {
  if (a.count == w.s.channels[c.form].field_count) return true;
  fail(w, ir::Failure::wrong_message, a.place);
  return false;
}

std::span<Value> sent_values(Writer& w, Step& step, const Action& a) {
  const auto values = scratch_array<Value>(w.arena, "messages", a.count);
  for (u32 i = 0; i < a.count; ++i) {
    const ExprId id = w.s.arguments[a.first + i];
    if (creates(w.s, id)) begin_step(w, step);
    values[i] = value(w, step.scope, id);
  }
  return values;
}

void cut_fields(Writer& w, const ChannelForm& form, std::span<Value> values) {
  for (u32 i = 0; i < values.size(); ++i)
    values[i] = cut(w, w.s.message_leaves[form.first_field + i], values[i]);
}

namespace {

// Of a sorted send: number and offset of the first message that is larger than what is sent, which
// is cut only when it is stored.
Found find_larger(Writer& w, std::span<const Value> values, const ChannelChoice& c, u32 now) {
  const Found found{constant(w, 0), constant(w, 0)};
  const u32 head = w.code.here();
  Label inside;
  Label next;
  Label end;
  w.code.jump(BodyOp::jump_greater, now, inside, found.number);
  w.code.jump(BodyOp::jump, 0, end);
  w.code.bind(inside);
  for (u32 i = 0; i < values.size(); ++i) {
    const u32 top = w.code.top();
    const u32 there = in_register(w, message_field(w, c, i, found.offset));
    const u32 sent = in_register(w, values[i]);
    w.code.jump(BodyOp::jump_less, sent, end, there);
    w.code.jump(BodyOp::jump_greater, sent, next, there);
    w.code.give_back(top);
  }
  w.code.bind(next);
  w.code.emit({.op = BodyOp::offset, .r = found.number, .a = found.number, .b = 1});
  w.code.emit({.op = BodyOp::offset,
               .r = found.offset,
               .a = found.offset,
               .b = static_cast<u32>(values.size())});
  w.code.jump_back(head);
  w.code.bind(end);
  return found;
}

}  // namespace

void send(Writer& w, Step& step, const Action& a, const ChannelChoice& c, Label& blocked) {
  if (!check_count(w, a, c)) return;
  const ChannelForm& form = w.s.channels[c.form];
  const ChannelSlot& channel = w.slots.channel(c.number);
  if (form.capacity == 0) return w.code.jump(BodyOp::jump, 0, blocked);
  const u32 now = in_register(w, length(w, c.number));
  w.code.jump(BodyOp::jump_above, now, blocked, form.capacity - 1);
  const std::span<Value> values = sent_values(w, step, a);
  Found at;
  const bool is_sorted = a.is_special && form.capacity > 1;
  if (is_sorted) at = find_larger(w, values, c, now);
  cut_fields(w, form, values);
  begin_step(w, step);
  if (is_sorted) {
    w.code.emit({.op = BodyOp::insert,
                 .r = at.number,
                 .a = channel.cells,
                 .b = form.capacity,
                 .c = form.field_count});
  } else if (form.capacity > 1 && form.field_count > 0) {
    at.offset = w.code.temporary();
    w.log.safe(true);  // there is room
    w.code.emit({.op = BodyOp::index,
                 .r = at.offset,
                 .a = now,
                 .b = 0,
                 .c = form.capacity,
                 .d = form.field_count});
  }
  for (u32 i = 0; i < values.size(); ++i) write_leaf(w, {channel.cells + i, at.offset}, values[i]);
  const u32 more = w.code.temporary();
  w.code.emit({.op = BodyOp::offset, .r = more, .a = now, .b = 1});
  w.code.emit({.op = BodyOp::store, .r = more, .a = channel.length});
  follow_event(w, step, {true, c, values, a.place});
}

// What is stored first can change the indexes of the rest.
void store_fields(Writer& w, const Scope& scope, const Action& a, std::span<const Value> values) {
  Scope anywhere = scope;
  anywhere.place = kNone;
  PlaceId behind = a.next;
  for (u32 i = 0; i < a.count; ++i) {
    const Pattern& pattern = w.s.patterns[a.first + i];
    if (pattern.kind == PatternKind::store && w.s.references[pattern.target].index_count != 0)
      behind = kNone;
  }
  for (u32 i = 0; i < a.count; ++i) {
    const Pattern& pattern = w.s.patterns[a.first + i];
    if (pattern.kind == PatternKind::store) write(w, anywhere, pattern.target, values[i], behind);
  }
}

void receive(Writer& w, Step& step, const Action& a, const ChannelChoice& c, Label& blocked) {
  if (!check_count(w, a, c)) return;
  const ChannelForm& form = w.s.channels[c.form];
  const ChannelSlot& channel = w.slots.channel(c.number);
  const Found at = find_message(w, step.scope, {a.first, a.count, a.is_special}, c, blocked);
  if (form.capacity == 0) return;
  const bool is_told = w.s.trace != kNone && !a.stays;
  const auto values = scratch_array<Value>(w.arena, "messages", a.count);
  for (u32 i = 0; i < a.count; ++i) {
    const bool is_kept = w.s.patterns[a.first + i].kind == PatternKind::store;
    if (is_kept || is_told) values[i] = message_field(w, c, i, at.offset);
  }
  begin_step(w, step);
  if (!a.stays) {
    if (form.field_count > 0) {
      w.code.emit({.op = BodyOp::remove,
                   .r = at.number != kNone ? at.number : constant(w, 0),
                   .a = channel.cells,
                   .b = form.capacity,
                   .c = form.field_count});
    }
    const u32 less = in_register(w, length(w, c.number));
    w.code.emit({.op = BodyOp::offset, .r = less, .a = less, .b = static_cast<u32>(-1)});
    w.code.emit({.op = BodyOp::store, .r = less, .a = channel.length});
  }
  store_fields(w, step.scope, a, values);
  if (is_told) follow_event(w, step, {false, c, values, a.place});
}

}  // namespace xmc::promela_lower
