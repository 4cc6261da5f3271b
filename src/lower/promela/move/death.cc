#include "lower/promela/move/death.h"

#include "lower/promela/expr/references.h"
#include "xmc/limits.h"

namespace xmc::promela_lower {

using promela::Proctype;

namespace {

u32 channels_of(const promela::System& s, const Proctype& type) {
  u32 count = 0;
  for (u32 i = 0; i < type.initial_count; ++i)
    count += s.local_initials[type.first_initial + i].value == kNone ? 1u : 0u;
  return count;
}

void clear(Writer& w, u32 leaf, u32 count) {
  for (u32 i = 0; i < count; ++i) {
    const u32 top = w.code.top();
    write_leaf(w, {leaf + i, kNone}, known(0));
    w.code.give_back(top);
  }
}

// The youngest process, which has the channels of the highest numbers.
void clear_channels(Writer& w, const Scope& scope, u32 count) {
  if (count == 0) return;
  const promela::Numbers below = w.facts.channels_below(scope.slot);
  Label end;
  for (u32 b = limits::kPromelaNumbers + 1; b-- > 0;) {
    if (!below.contains(b) || b + count > w.slots.channels()) continue;
    Label next;
    const u32 top = w.code.top();
    if (below.count() > 1) {
      const u32 there = in_register(w, load_leaf(w, w.slots.channel(b + count).form));
      w.code.jump(BodyOp::jump_zero, there, next);
    }
    for (u32 n = b + 1; n <= b + count; ++n) {
      const ChannelSlot& channel = w.slots.channel(n);
      clear(w, channel.form, 1);
      if (channel.length != kNone) clear(w, channel.length, 1);
      if (channel.cells != kNone) clear(w, channel.cells, channel.cell_count);
    }
    w.code.jump(BodyOp::jump, 0, end);
    w.code.bind(next);
    w.code.give_back(top);
  }
  w.code.bind(end);
}

}  // namespace

void die(Writer& w, Step& step, Label& blocked) {
  const u32 q = step.scope.slot;
  const Slot& slot = w.slots.slot(q);
  const Proctype& type = w.s.proctypes[step.scope.proctype];
  if (q + 1 < w.slots.count()) {
    const u32 top = w.code.top();
    w.code.jump(BodyOp::jump_not_zero, load_place(w, q + 1), blocked);
    w.code.give_back(top);
  }
  begin_step(w, step);
  clear_channels(w, step.scope, channels_of(w.s, type));
  for (u32 i = 0; i < type.leaf_count; ++i)
    clear(w, w.slots.cell(w.slots.type(step.scope.type), i), 1);
  if (slot.priority != kNone) clear(w, slot.priority, 1);
  clear(w, slot.place, 1);
}

}  // namespace xmc::promela_lower
