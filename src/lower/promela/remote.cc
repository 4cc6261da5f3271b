// What is asked about processes: where they are, their locals, how many there are.
#include "lower/promela/lowering.h"
#include "xmc/check.h"

namespace xmc::promela_lower {

// To `no` unless the process of a slot is of a type.
void Lowering::jump_unless(const SlotType& type, Label& no) {
  const Slot& slot = slots_.slot(type.slot);
  if (slot.is_always_there && slot.type_count == 1) return;
  const u32 top = code_.top();
  const u32 place = code_.temporary();
  code_.emit({.op = BodyOp::load, .r = place, .a = slot.place});
  const u32 bound = code_.temporary();
  set(bound, type.first_code);
  code_.jump(BodyOp::jump_less, place, no, bound);
  if (type.last_code + 1 < slot.codes) code_.jump(BodyOp::jump_above, place, no, type.last_code);
  code_.give_back(top);
}

// then(type) for the process that a remote reference means, if there is one of that type.
template <class Then>
void Lowering::for_process(ExprId pid, u32 proctype, Then then) {
  Label end;
  const Value number = pid == kNone ? known(0) : value(pid);
  for (u32 q = 0; q < slots_.count(); ++q) {
    const u32 type = slots_.find_type(q, proctype);
    if (type == kNone) continue;
    Label next;
    if (pid != kNone) {
      if (!number.range.contains(static_cast<i32>(q))) continue;
      if (!number.known()) {
        const u32 top = code_.top();
        const u32 is = constant(q);
        code_.emit({.op = BodyOp::equal, .r = is, .a = number.reg, .b = is});
        code_.jump(BodyOp::jump_zero, is, next);
        code_.give_back(top);
      }
    }
    jump_unless(slots_.type(type), next);
    then(slots_.type(type), type);
    code_.jump(BodyOp::jump, 0, end);
    code_.bind(next);
  }
  code_.bind(end);
}

Value Lowering::at_label(ExprId id) {
  const promela::Expr& e = expr(id);
  const PlaceId at = s_.labels[e.b].at;
  const u32 out = constant(0);
  for_process(e.a, e.c, [&](const SlotType& type, u32) {
    const u32 code = at == kNone ? 0 : slots_.code(type.slot, at);
    if (code == 0) return;
    const u32 top = code_.top();
    const u32 place = code_.temporary();
    code_.emit({.op = BodyOp::load, .r = place, .a = slots_.slot(type.slot).place});
    code_.emit({.op = BodyOp::equal, .r = out, .a = place, .b = constant(code)});
    code_.give_back(top);
  });
  return {out, ir::kTruth};
}

Value Lowering::read_remote(const Reference& r) {
  const u32 out = constant(0);
  Interval range{0, 0};
  for_process(r.pid, r.proctype, [&](const SlotType& type, u32 index) {
    const u32 top = code_.top();
    const Frame other{type.slot, type.proctype, index, kNone};
    Interval here;
    const u32 leaves = s_.proctypes[type.proctype].leaf_count;
    // An indexed one can be any leaf of its variable; those of the whole frame hold it, too.
    if (r.index_count == 0) {
      here = local_range(other, r.leaf);
    } else {
      for (u32 i = 0; i < leaves; ++i) here = ir::join(here, local_range(other, i));
    }
    const Value v = load(address(r, slots_.cell(type, r.leaf)), here);
    code_.emit({.op = BodyOp::move, .r = out, .a = in_register(v)});
    range = ir::join(range, here);
    code_.give_back(top);
  });
  return {out, range};
}

// Processes are dense: the first slot without one.
Value Lowering::process_count() {
  const u32 count = slots_.count();
  u32 first = 0;
  while (first < count && slots_.slot(first).is_always_there) ++first;
  if (frame_.slot != kNone && frame_.slot < count && frame_.slot + 1 > first)
    first = frame_.slot + 1;
  if (first == count) return known(count);
  const u32 out = constant(first);
  const u32 top = code_.top();
  const u32 place = code_.temporary();
  Label end;
  for (u32 q = first; q < count; ++q) {
    code_.emit({.op = BodyOp::load, .r = place, .a = slots_.slot(q).place});
    code_.jump(BodyOp::jump_zero, place, end);
    set(out, q + 1);
  }
  code_.bind(end);
  code_.give_back(top);
  return {out, {static_cast<i32>(first), static_cast<i32>(count)}};
}

Value Lowering::no_progress() {
  return places_value([](const promela::Place& place) { return !place.is_progress; });
}

// 1 where every process is at a place as it is wanted.
Value Lowering::places_value(bool (*wanted)(const promela::Place&)) {
  const u32 out = constant(0);
  Label no;
  for (u32 q = 0; q < slots_.count(); ++q) {
    const Slot& slot = slots_.slot(q);
    const u32 top = code_.top();
    const u32 place = code_.temporary();
    code_.emit({.op = BodyOp::load, .r = place, .a = slot.place});
    const u32 first = code_.targets();
    code_.jump_table(place, slot.codes);
    const u32 stop = code_.enter();
    code_.jump(BodyOp::jump, 0, no);
    code_.add_targets(slot.codes, code_.enter());
    for (u32 i = 0; i < slot.type_count; ++i) {
      const promela::Proctype& type = s_.proctypes[slots_.type(slot.first_type + i).proctype];
      for (u32 k = 0; k < type.place_count; ++k) {
        const PlaceId id = type.first_place + k;
        const u32 code = slots_.code(q, id);
        if (code != 0 && !wanted(s_.places[id])) code_.set_target(first + code, stop);
      }
    }
    code_.give_back(top);
  }
  set(out, 1);
  code_.bind(no);
  return {out, ir::kTruth};
}

Value Lowering::priority_of(ExprId id) {
  const promela::Expr& e = expr(id);
  const Value number = value(e.a);
  const u32 out = constant(0);
  Label end;
  for (u32 q = 0; q < slots_.count(); ++q) {
    if (!number.range.contains(static_cast<i32>(q))) continue;
    Label next;
    const u32 top = code_.top();
    const u32 is = constant(q);
    code_.emit({.op = BodyOp::equal, .r = is, .a = in_register(number), .b = is});
    code_.jump(BodyOp::jump_zero, is, next);
    code_.emit({.op = BodyOp::load, .r = out, .a = slots_.slot(q).priority});
    code_.jump(BodyOp::jump, 0, end);
    code_.bind(next);
    code_.give_back(top);
  }
  code_.bind(end);
  return {out, {0, 255}};
}

}  // namespace xmc::promela_lower
