#include "lower/promela/expr/creation.h"

#include "lower/promela/expr/references.h"
#include "xmc/check.h"
#include "xmc/scratch.h"

namespace xmc::promela_lower {

using ir::Failure;
using promela::Initial;
using promela::Proctype;

namespace {

// Of the process that is being created: those before it in this list have been made.
Value new_channel(Writer& w, const Scope& scope, u32 form, u32 before) {
  const promela::Numbers below = w.facts.channels_below(scope.slot);
  const u32 out = w.code.temporary();
  Label end;
  Interval range;
  for (u32 b = below.next(0); b != kNone; b = below.next(b + 1)) {
    const u32 number = b + before + 1;
    if (number > w.slots.channels()) break;
    const ChannelSlot& channel = w.slots.channel(number);
    u32 code = 0;
    for (u32 i = 0; i < channel.form_count; ++i) {
      if (w.slots.form(channel, i) == form) code = i + 1;
    }
    if (code == 0 || channel.form == kNone) continue;
    Label next;
    const u32 top = w.code.top();
    if (below.count() > 1) {
      const u32 there = in_register(w, load_leaf(w, channel.form));
      w.code.jump(BodyOp::jump_not_zero, there, next);
    }
    write_leaf(w, {channel.form, kNone}, known(code));
    set(w, out, number);
    range = ir::join(range, {static_cast<i32>(number), static_cast<i32>(number)});
    w.code.jump(BodyOp::jump, 0, end);
    w.code.bind(next);
    w.code.give_back(top);
  }
  if (below.count() > 1 || range.empty()) {
    w.log.safe(!w.facts.may_exceed_channels());
    fail(w, Failure::too_many_channels, w.s.channels[form].place);
  }
  w.code.bind(end);
  return {out, range.empty() ? Interval{0, 0} : range};
}

// Values of variables where they begin, and channels that begin with them.
void initials(Writer& w, const Scope& scope, bool is_global, u32 first, u32 count) {
  u32 made = 0;
  for (u32 i = 0; i < count; ++i) {
    const Initial& initial =
        is_global ? w.s.global_initials[first + i] : w.s.local_initials[first + i];
    const u32 top = w.code.top();
    const Value v = initial.value != kNone ? value(w, scope, initial.value)
                    : is_global            ? known(++made)
                                           : new_channel(w, scope, initial.channel, made++);
    for (u32 k = 0; k < initial.count; ++k) {
      const u32 at = initial.leaf + k;
      const u32 leaf = is_global ? at : w.slots.cell(w.slots.type(scope.type), at);
      const u32 begin = is_global ? 0 : w.s.proctypes[scope.proctype].first_leaf;
      const Leaf& kind = is_global ? w.s.global_leaves[at] : w.s.local_leaves[begin + at];
      const Value stored = cut(w, kind, v);
      if (stored.is(0) && w.slots.range(leaf).contains(0)) continue;
      if (!is_global) w.dead.note_start(leaf);
      write_leaf(w, {leaf, kNone}, stored);
    }
    w.code.give_back(top);
  }
}

}  // namespace

void create(Writer& w, const Scope& scope, u32 q, u32 proctype, std::span<const Value> arguments,
            i32 priority) {
  const Proctype& type = w.s.proctypes[proctype];
  const Slot& slot = w.slots.slot(q);
  const u32 index = w.slots.find_type(q, proctype);
  const SlotType& there = w.slots.type(index);
  const Scope own = scope.of(index, there);
  const u32 top = w.code.top();
  w.dead.begin_creation();
  for (u32 i = 0; i < arguments.size(); ++i) {
    const Value v = cut(w, w.s.local_leaves[type.first_leaf + i], arguments[i]);
    if (v.is(0)) continue;
    w.dead.note_start(w.slots.cell(there, i));
    write_leaf(w, {w.slots.cell(there, i), kNone}, v);
  }
  initials(w, own, false, type.first_initial, type.initial_count);
  w.dead.rest_at_start(w, own);
  if (slot.priority != kNone) write_leaf(w, {slot.priority, kNone}, known(priority));
  write_leaf(w, {slot.place, kNone}, known(w.slots.code(q, type.start)));
  w.code.give_back(top);
}

void initial_globals(Writer& w, const Scope& scope) {
  initials(w, scope, true, 0, w.s.global_initials.size());
}

// In the first slot without a process.
Value run_process(Writer& w, const Scope& scope, const promela::Expr& e) {
  const auto arguments = scratch_array<Value>(w.arena, "arguments", e.c);
  for (u32 i = 0; i < e.c; ++i) arguments[i] = value(w, scope, w.s.arguments[e.b + i]);
  XMC_CHECK(scope.begun);
  const u32 out = w.code.temporary();
  const u32 count = w.slots.count();
  u32 low = scope.slot + 1;
  u32 high = count - 1;
  if (scope.place != kNone) {
    const Interval proved = w.facts.run_slots(scope.slot, scope.place);
    if (!proved.empty()) {
      low = static_cast<u32>(proved.lo);
      high = static_cast<u32>(proved.hi) < count ? static_cast<u32>(proved.hi) : count - 1;
    }
  }
  Label end;
  for (u32 q = low; q <= high && q < count; ++q) {
    if (w.slots.find_type(q, e.a) == kNone || w.slots.slot(q).is_always_there) continue;
    Label next;
    const u32 top = w.code.top();
    w.code.jump(BodyOp::jump_not_zero, load_place(w, q), next);
    create(w, scope, q, e.a, arguments, e.value);
    set(w, out, q);
    w.code.jump(BodyOp::jump, 0, end);
    w.code.bind(next);
    w.code.give_back(top);
  }
  w.log.safe(!w.facts.may_exceed_slots());
  const Failure full = w.facts.is_assumed() ? Failure::no_room : Failure::too_many_processes;
  w.code.emit(
      {.op = BodyOp::fail, .reason = static_cast<u8>(full), .note = note(w, e.place), .a = count});
  w.code.bind(end);
  return {out, {0, static_cast<i32>(count)}};
}

}  // namespace xmc::promela_lower
