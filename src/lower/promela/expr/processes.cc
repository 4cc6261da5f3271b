#include "lower/promela/expr/processes.h"

#include "lower/promela/expr/references.h"

namespace xmc::promela_lower {

void jump_unless(Writer& w, const SlotType& type, Label& no) {
  const Slot& slot = w.slots.slot(type.slot);
  if (slot.is_always_there && slot.type_count == 1) return;
  const u32 top = w.code.top();
  const u32 place = load_place(w, type.slot);
  const u32 bound = w.code.temporary();
  set(w, bound, type.first_code);
  w.code.jump(BodyOp::jump_less, place, no, bound);
  if (type.last_code + 1 < slot.codes) w.code.jump(BodyOp::jump_above, place, no, type.last_code);
  w.code.give_back(top);
}

namespace {

// then(type) for the process that a remote reference means, if there is one of that type.
template <class Then>
void for_process(Writer& w, const Scope& scope, ExprId pid, u32 proctype, Then then) {
  Label end;
  const Value number = pid == kNone ? known(0) : value(w, scope, pid);
  for (u32 q = 0; q < w.slots.count(); ++q) {
    const u32 type = w.slots.find_type(q, proctype);
    if (type == kNone) continue;
    Label next;
    if (pid != kNone) {
      if (!number.range.contains(static_cast<i32>(q))) continue;
      if (!number.known()) {
        const u32 top = w.code.top();
        jump_unless_is(w, number, q, next);
        w.code.give_back(top);
      }
    }
    jump_unless(w, w.slots.type(type), next);
    then(w.slots.type(type), type);
    w.code.jump(BodyOp::jump, 0, end);
    w.code.bind(next);
  }
  w.code.bind(end);
}

}  // namespace

Value at_label(Writer& w, const Scope& scope, const promela::Expr& e) {
  const PlaceId at = w.s.labels[e.b].at;
  const u32 out = constant(w, 0);
  for_process(w, scope, e.a, e.c, [&](const SlotType& type, u32) {
    const u32 code = at == kNone ? 0 : w.slots.code(type.slot, at);
    if (code == 0) return;
    const u32 top = w.code.top();
    const u32 place = load_place(w, type.slot);
    w.code.emit({.op = BodyOp::equal, .r = out, .a = place, .b = constant(w, code)});
    w.code.give_back(top);
  });
  return {out, ir::kTruth};
}

Value read_remote(Writer& w, const Scope& scope, const Reference& r) {
  const u32 out = constant(w, 0);
  Interval range{0, 0};
  for_process(w, scope, r.pid, r.proctype, [&](const SlotType& type, u32 index) {
    const u32 top = w.code.top();
    const Scope other = scope.of(index, type);
    Interval here;
    const u32 leaves = w.s.proctypes[type.proctype].leaf_count;
    // An indexed one can be any leaf of its variable; those of the whole frame hold it, too.
    if (r.index_count == 0) {
      here = local_range(w, other, r.leaf);
    } else {
      for (u32 i = 0; i < leaves; ++i) here = ir::join(here, local_range(w, other, i));
    }
    const Value v = load(w, address(w, scope, r, w.slots.cell(type, r.leaf)), here);
    w.code.emit({.op = BodyOp::move, .r = out, .a = in_register(w, v)});
    range = ir::join(range, here);
    w.code.give_back(top);
  });
  return {out, range};
}

// Processes are dense: the first slot without one.
Value process_count(Writer& w, const Scope& scope) {
  const u32 count = w.slots.count();
  u32 first = 0;
  while (first < count && w.slots.slot(first).is_always_there) ++first;
  if (scope.slot != kNone && scope.slot < count && scope.slot + 1 > first) first = scope.slot + 1;
  if (first == count) return known(count);
  const u32 out = constant(w, first);
  const u32 top = w.code.top();
  const u32 place = w.code.temporary();
  Label end;
  for (u32 q = first; q < count; ++q) {
    load_into(w, place, w.slots.slot(q).place);
    w.code.jump(BodyOp::jump_zero, place, end);
    set(w, out, q + 1);
  }
  w.code.bind(end);
  w.code.give_back(top);
  return {out, {static_cast<i32>(first), static_cast<i32>(count)}};
}

Value no_progress(Writer& w) {
  return places_value(w, [](const promela::Place& place) { return !place.is_progress; });
}

Value places_value(Writer& w, bool (*wanted)(const promela::Place&)) {
  const u32 out = constant(w, 0);
  Label no;
  for (u32 q = 0; q < w.slots.count(); ++q) {
    const Slot& slot = w.slots.slot(q);
    const u32 top = w.code.top();
    const u32 place = load_place(w, q);
    const u32 first = w.code.targets();
    w.code.jump_table(place, slot.codes);
    const u32 stop = w.code.enter();
    w.code.jump(BodyOp::jump, 0, no);
    w.code.add_targets(slot.codes, w.code.enter());
    for (u32 i = 0; i < slot.type_count; ++i) {
      const promela::Proctype& type = w.s.proctypes[w.slots.type(slot.first_type + i).proctype];
      for (u32 k = 0; k < type.place_count; ++k) {
        const PlaceId id = type.first_place + k;
        const u32 code = w.slots.code(q, id);
        if (code != 0 && !wanted(w.s.places[id])) w.code.set_target(first + code, stop);
      }
    }
    w.code.give_back(top);
  }
  set(w, out, 1);
  w.code.bind(no);
  return {out, ir::kTruth};
}

Value priority_of(Writer& w, const Scope& scope, const promela::Expr& e) {
  const Value number = value(w, scope, e.a);
  const u32 out = constant(w, 0);
  Label end;
  for (u32 q = 0; q < w.slots.count(); ++q) {
    if (!number.range.contains(static_cast<i32>(q))) continue;
    Label next;
    const u32 top = w.code.top();
    jump_unless_is(w, number, q, next);
    load_into(w, out, w.slots.slot(q).priority);
    w.code.jump(BodyOp::jump, 0, end);
    w.code.bind(next);
    w.code.give_back(top);
  }
  w.code.bind(end);
  return {out, {0, 255}};
}

u32 test(Writer& w, u32 q, u32 timeout) {
  w.tests.asked[q] = 1;
  const u32 out = w.code.temporary(2);
  if (timeout == kNone) {
    set(w, out + 1, 0);
  } else {
    w.code.emit({.op = BodyOp::move, .r = out + 1, .a = timeout});
  }
  w.code.emit({.op = BodyOp::call, .a = q, .b = out});
  return out;
}

// Of itself a process cannot ask.
Value enabled(Writer& w, const Scope& scope, const promela::Expr& e) {
  const Value number = value(w, scope, e.a);
  const u32 out = constant(w, 0);
  Label end;
  for (u32 q = 0; q < w.slots.count(); ++q) {
    if (!number.range.contains(static_cast<i32>(q))) continue;
    Label next;
    const u32 top = w.code.top();
    jump_unless_is(w, number, q, next);
    if (q == scope.slot) {
      fail(w, ir::Failure::error, e.place);
    } else {
      w.code.emit({.op = BodyOp::move, .r = out, .a = test(w, q, kNone)});
    }
    w.code.jump(BodyOp::jump, 0, end);
    w.code.bind(next);
    w.code.give_back(top);
  }
  w.code.bind(end);
  return {out, ir::kTruth};
}

// No process can move as long as `timeout` is false.
u32 claim_timeout(Writer& w) {
  if (!w.layout.uses_timeout) return kNone;
  const u32 out = constant(w, 0);
  Label end;
  for (u32 q = 0; q < w.slots.count(); ++q) {
    const u32 top = w.code.top();
    w.code.jump(BodyOp::jump_not_zero, test(w, q, kNone), end);
    w.code.give_back(top);
  }
  set(w, out, 1);
  w.code.bind(end);
  return out;
}

// As SPIN has it: where no process can move, np_ is false, so that what stands still makes no cycle
// without progress.
Value claim_no_progress(Writer& w) {
  const Value out = no_progress(w);
  Label end;
  w.code.jump(BodyOp::jump_zero, out.reg, end);
  const u32 top = w.code.top();
  const u32 late = w.layout.uses_timeout ? constant(w, 1) : kNone;
  for (u32 q = 0; q < w.slots.count(); ++q) {
    for (const u32 timeout : {kNone, late}) {
      const u32 inner = w.code.top();
      w.code.jump(BodyOp::jump_not_zero, test(w, q, timeout), end);
      w.code.give_back(inner);
      if (late == kNone) break;
    }
  }
  w.code.give_back(top);
  set(w, out.reg, 0);
  w.code.bind(end);
  return out;
}

}  // namespace xmc::promela_lower
