// Processes and their channels begin and end.
#include "lower/promela/lowering.h"
#include "xmc/check.h"
#include "xmc/scratch.h"

namespace xmc::promela_lower {

using ir::Failure;
using promela::Initial;
using promela::Proctype;

namespace {

u32 channels_of(const promela::System& s, const Proctype& type) {
  u32 count = 0;
  for (u32 i = 0; i < type.initial_count; ++i)
    count += s.local_initials[type.first_initial + i].value == kNone ? 1u : 0u;
  return count;
}

}  // namespace

// In the first slot without a process.
Value Lowering::run_process(ExprId id) {
  const promela::Expr& e = expr(id);
  const auto arguments = scratch_array<Value>(arena_, "arguments", e.c);
  for (u32 i = 0; i < e.c; ++i) arguments[i] = value(s_.arguments[e.b + i]);
  XMC_CHECK(is_begun_ || asks_);
  const u32 out = code_.temporary();
  const u32 count = slots_.count();
  u32 low = frame_.slot + 1;
  u32 high = count - 1;
  if (frame_.place != kNone) {
    const Interval proved = facts_.run_slots(frame_.slot, frame_.place);
    if (!proved.empty()) {
      low = static_cast<u32>(proved.lo);
      high = static_cast<u32>(proved.hi) < count ? static_cast<u32>(proved.hi) : count - 1;
    }
  }
  Label end;
  for (u32 q = low; q <= high && q < count; ++q) {
    if (slots_.find_type(q, e.a) == kNone || slots_.slot(q).is_always_there) continue;
    Label next;
    const u32 top = code_.top();
    const u32 place = code_.temporary();
    code_.emit({.op = BodyOp::load, .r = place, .a = slots_.slot(q).place});
    code_.jump(BodyOp::jump_not_zero, place, next);
    create(q, e.a, arguments, e.value);
    set(out, q);
    code_.jump(BodyOp::jump, 0, end);
    code_.bind(next);
    code_.give_back(top);
  }
  note_safe(!facts_.may_exceed_slots());
  const Failure full = facts_.is_assumed() ? Failure::no_room : Failure::too_many_processes;
  code_.emit(
      {.op = BodyOp::fail, .reason = static_cast<u8>(full), .note = note(e.place), .a = count});
  code_.bind(end);
  return {out, {0, static_cast<i32>(count)}};
}

// The slot is empty: all its cells are 0.
void Lowering::create(u32 q, u32 proctype, std::span<const Value> arguments, i32 priority) {
  const Proctype& type = s_.proctypes[proctype];
  const Slot& slot = slots_.slot(q);
  const Frame kept = frame_;
  const u32 index = slots_.find_type(q, proctype);
  const u32 top = code_.top();
  frame_ = {q, proctype, index, kNone};
  ++creations_;
  for (u32 i = 0; i < arguments.size(); ++i) {
    const Value v = cut(s_.local_leaves[type.first_leaf + i], arguments[i]);
    if (v.is(0)) continue;
    note_start(slots_.cell(slots_.type(index), i));
    write_leaf({slots_.cell(slots_.type(index), i), kNone}, v);
  }
  initials(false, type.first_initial, type.initial_count);
  rest_at_start();
  if (slot.priority != kNone) write_leaf({slot.priority, kNone}, known(priority));
  write_leaf({slot.place, kNone}, known(slots_.code(q, type.start)));
  code_.give_back(top);
  frame_ = kept;
}

void Lowering::initials(bool is_global, u32 first, u32 count) {
  u32 made = 0;
  for (u32 i = 0; i < count; ++i) {
    const Initial& initial =
        is_global ? s_.global_initials[first + i] : s_.local_initials[first + i];
    const u32 top = code_.top();
    const Value v = initial.value != kNone ? value(initial.value)
                    : is_global            ? known(++made)
                                           : new_channel(initial.channel, made++);
    for (u32 k = 0; k < initial.count; ++k) {
      const u32 at = initial.leaf + k;
      const u32 leaf = is_global ? at : slots_.cell(slots_.type(frame_.type), at);
      const u32 begin = is_global ? 0 : s_.proctypes[frame_.proctype].first_leaf;
      const Leaf& kind = is_global ? s_.global_leaves[at] : s_.local_leaves[begin + at];
      const Value stored = cut(kind, v);
      if (stored.is(0) && slots_.range(leaf).contains(0)) continue;
      if (!is_global) note_start(leaf);
      write_leaf({leaf, kNone}, stored);
    }
    code_.give_back(top);
  }
}

// Of the process that is being created: those before it in this list have been made.
Value Lowering::new_channel(u32 form, u32 before) {
  const promela::Numbers below = facts_.channels_below(frame_.slot);
  const u32 out = code_.temporary();
  Label end;
  Interval range;
  for (u32 b = below.next(0); b != kNone; b = below.next(b + 1)) {
    const u32 number = b + before + 1;
    if (number > slots_.channels()) break;
    const ChannelSlot& channel = slots_.channel(number);
    u32 code = 0;
    for (u32 i = 0; i < channel.form_count; ++i) {
      if (slots_.form(channel, i) == form) code = i + 1;
    }
    if (code == 0 || channel.form == kNone) continue;
    Label next;
    const u32 top = code_.top();
    if (below.count() > 1) {
      const u32 there = in_register(load_leaf(channel.form));
      code_.jump(BodyOp::jump_not_zero, there, next);
    }
    write_leaf({channel.form, kNone}, known(code));
    set(out, number);
    range = ir::join(range, {static_cast<i32>(number), static_cast<i32>(number)});
    code_.jump(BodyOp::jump, 0, end);
    code_.bind(next);
    code_.give_back(top);
  }
  if (below.count() > 1 || range.empty()) {
    note_safe(!facts_.may_exceed_channels());
    fail(Failure::too_many_channels, s_.channels[form].place);
  }
  code_.bind(end);
  return {out, range.empty() ? Interval{0, 0} : range};
}

// The youngest process, which has the channels of the highest numbers.
void Lowering::clear_channels(u32 count) {
  if (count == 0) return;
  const promela::Numbers below = facts_.channels_below(frame_.slot);
  Label end;
  for (u32 b = limits::kPromelaNumbers + 1; b-- > 0;) {
    if (!below.contains(b) || b + count > slots_.channels()) continue;
    Label next;
    const u32 top = code_.top();
    if (below.count() > 1) {
      const u32 there = in_register(load_leaf(slots_.channel(b + count).form));
      code_.jump(BodyOp::jump_zero, there, next);
    }
    for (u32 n = b + 1; n <= b + count; ++n) {
      const ChannelSlot& channel = slots_.channel(n);
      clear(channel.form, 1);
      if (channel.length != kNone) clear(channel.length, 1);
      if (channel.cells != kNone) clear(channel.cells, channel.cell_count);
    }
    code_.jump(BodyOp::jump, 0, end);
    code_.bind(next);
    code_.give_back(top);
  }
  code_.bind(end);
}

void Lowering::clear(u32 leaf, u32 count) {
  for (u32 i = 0; i < count; ++i) {
    const u32 top = code_.top();
    write_leaf({leaf + i, kNone}, known(0));
    code_.give_back(top);
  }
}

// Only the youngest process dies.
void Lowering::die(Label& blocked) {
  const u32 q = frame_.slot;
  const Slot& slot = slots_.slot(q);
  const Proctype& type = s_.proctypes[frame_.proctype];
  if (q + 1 < slots_.count()) {
    const u32 top = code_.top();
    const u32 place = code_.temporary();
    code_.emit({.op = BodyOp::load, .r = place, .a = slots_.slot(q + 1).place});
    code_.jump(BodyOp::jump_not_zero, place, blocked);
    code_.give_back(top);
  }
  begin();
  clear_channels(channels_of(s_, type));
  for (u32 i = 0; i < type.leaf_count; ++i) clear(slots_.cell(slots_.type(frame_.type), i), 1);
  if (slot.priority != kNone) clear(slot.priority, 1);
  clear(slot.place, 1);
}

// From the state in which all is 0.
void Lowering::lower_start() {
  ir::Rule rule;
  rule.code = code_.here();
  code_.begin_body(0);
  frame_ = {};
  timeout_ = kNone;
  is_begun_ = false;
  begin();
  initials(true, 0, s_.global_initials.size());
  u32 q = 0;
  for (u32 t = 0; t < s_.proctypes.size(); ++t) {
    const Proctype& type = s_.proctypes[t];
    for (u32 i = 0; i < type.active; ++i, ++q) {
      if (q >= slots_.count()) {
        fail(Failure::too_many_processes, type.place);
        continue;
      }
      create(q, t, {}, type.priority);
    }
  }
  code_.emit({.op = BodyOp::end});
  if (code_.cells() > most_cells_) most_cells_ = code_.cells();
  starts_.push(rule);
}

}  // namespace xmc::promela_lower
