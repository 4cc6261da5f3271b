// Sends and receives on buffered channels. On one without a buffer both are blocked: a rendezvous
// is made by two processes (rendezvous.cc).
#include "lower/promela/lowering.h"
#include "xmc/check.h"
#include "xmc/scratch.h"

namespace xmc::promela_lower {

using promela::ChannelForm;

bool Lowering::check_count(const Action& a, const ChannelChoice& c) {
  if (a.count == s_.channels[c.form].field_count) return true;
  fail(ir::Failure::wrong_message, a.place);
  return false;
}

// The values of a send, as it has them.
std::span<Value> Lowering::sent_values(const Action& a) {
  const auto values = scratch_array<Value>(arena_, "messages", a.count);
  for (u32 i = 0; i < a.count; ++i) {
    const ExprId id = s_.arguments[a.first + i];
    if (creates(id)) begin();
    values[i] = value(id);
  }
  return values;
}

// As the channel keeps them.
void Lowering::cut_fields(const ChannelForm& form, std::span<Value> values) {
  for (u32 i = 0; i < values.size(); ++i)
    values[i] = cut(s_.message_leaves[form.first_field + i], values[i]);
}

// Of a sorted send: number and offset of the first message that is larger than what is sent, which
// is cut only when it is stored.
Lowering::Found Lowering::find_larger(std::span<const Value> values, const ChannelChoice& c,
                                      u32 now) {
  const Found found{constant(0), constant(0)};
  const u32 head = code_.here();
  Label inside;
  Label next;
  Label end;
  code_.jump(BodyOp::jump_greater, now, inside, found.number);
  code_.jump(BodyOp::jump, 0, end);
  code_.bind(inside);
  for (u32 i = 0; i < values.size(); ++i) {
    const u32 top = code_.top();
    const u32 there = in_register(message_field(c, i, found.offset));
    const u32 sent = in_register(values[i]);
    code_.jump(BodyOp::jump_less, sent, end, there);
    code_.jump(BodyOp::jump_greater, sent, next, there);
    code_.give_back(top);
  }
  code_.bind(next);
  code_.emit({.op = BodyOp::offset, .r = found.number, .a = found.number, .b = 1});
  code_.emit({.op = BodyOp::offset,
              .r = found.offset,
              .a = found.offset,
              .b = static_cast<u32>(values.size())});
  code_.jump_back(head);
  code_.bind(end);
  return found;
}

void Lowering::send(const Action& a, const ChannelChoice& c, Label& blocked) {
  if (!check_count(a, c)) return;
  const ChannelForm& form = s_.channels[c.form];
  const ChannelSlot& channel = slots_.channel(c.number);
  if (form.capacity == 0) return code_.jump(BodyOp::jump, 0, blocked);
  const u32 now = in_register(length(c.number));
  code_.jump(BodyOp::jump_above, now, blocked, form.capacity - 1);
  const std::span<Value> values = sent_values(a);
  Found at;
  const bool is_sorted = a.is_special && form.capacity > 1;
  if (is_sorted) at = find_larger(values, c, now);
  cut_fields(form, values);
  begin();
  if (is_sorted) {
    code_.emit({.op = BodyOp::insert,
                .r = at.number,
                .a = channel.cells,
                .b = form.capacity,
                .c = form.field_count});
  } else if (form.capacity > 1 && form.field_count > 0) {
    at.offset = code_.temporary();
    note_safe(true);  // there is room
    code_.emit({.op = BodyOp::index,
                .r = at.offset,
                .a = now,
                .b = 0,
                .c = form.capacity,
                .d = form.field_count});
  }
  for (u32 i = 0; i < values.size(); ++i) write_leaf({channel.cells + i, at.offset}, values[i]);
  const u32 more = code_.temporary();
  code_.emit({.op = BodyOp::offset, .r = more, .a = now, .b = 1});
  code_.emit({.op = BodyOp::store, .r = more, .a = channel.length});
  event(true, c, values, a.place);
}

// The fields are in registers: what is stored first can change the indexes of the rest.
void Lowering::store_fields(const Action& a, std::span<const Value> values) {
  const PlaceId place = frame_.place;
  frame_.place = kNone;
  behind_ = a.next;
  for (u32 i = 0; i < a.count; ++i) {
    const Pattern& pattern = s_.patterns[a.first + i];
    if (pattern.kind == PatternKind::store && s_.references[pattern.target].index_count != 0)
      behind_ = kNone;
  }
  for (u32 i = 0; i < a.count; ++i) {
    const Pattern& pattern = s_.patterns[a.first + i];
    if (pattern.kind == PatternKind::store) write(pattern.target, values[i]);
  }
  frame_.place = place;
  behind_ = kNone;
}

void Lowering::receive(const Action& a, const ChannelChoice& c, Label& blocked) {
  if (!check_count(a, c)) return;
  const ChannelForm& form = s_.channels[c.form];
  const ChannelSlot& channel = slots_.channel(c.number);
  const Found at = find_message(a.first, a.count, a.is_special, c, blocked);
  if (form.capacity == 0) return;
  const bool is_told = s_.trace != kNone && !a.stays;
  const auto values = scratch_array<Value>(arena_, "messages", a.count);
  for (u32 i = 0; i < a.count; ++i) {
    const bool is_kept = s_.patterns[a.first + i].kind == PatternKind::store;
    if (is_kept || is_told) values[i] = message_field(c, i, at.offset);
  }
  begin();
  if (!a.stays) {
    if (form.field_count > 0) {
      code_.emit({.op = BodyOp::remove,
                  .r = at.number != kNone ? at.number : constant(0),
                  .a = channel.cells,
                  .b = form.capacity,
                  .c = form.field_count});
    }
    const u32 less = in_register(length(c.number));
    code_.emit({.op = BodyOp::offset, .r = less, .a = less, .b = static_cast<u32>(-1)});
    code_.emit({.op = BodyOp::store, .r = less, .a = channel.length});
  }
  store_fields(a, values);
  if (is_told) event(false, c, values, a.place);
}

}  // namespace xmc::promela_lower
