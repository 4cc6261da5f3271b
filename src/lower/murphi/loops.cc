// Loops over types, over intervals, and over the elements of a multiset.
#include "lower/murphi/lowering.h"
#include "xmc/check.h"

namespace xmc::murphi_lower {

void Lowering::open_loop(VariableId id, Loop& loop) {
  const murphi::Variable& v = variable(id);
  const u32 cell = cell_of(id);
  loop.variable = id;
  if (!v.is_interval) {
    const murphi::Type& t = type(v.type);
    set(cell, t.low);
    loop.head = code_.here();
    code_.jump(BodyOp::jump_above, cell, loop.out, static_cast<u32>(static_cast<i32>(t.high)));
    return;
  }
  if (rumur()) return open_either_way(id, loop);
  if (v.step != kNone) {
    const murphi::Expr& step = expr(v.step);
    if (step.op == Op::literal && step.value == static_cast<i32>(step.value)) {
      loop.by = static_cast<i32>(step.value);
    } else {
      refuse(step.place, "a step that is no constant of 32 bits");
    }
  }
  const u32 from = value(v.from);
  const u32 last = code_.temporary();
  const u32 to = value(v.to);
  code_.emit({.op = BodyOp::move, .r = last, .a = to});
  code_.emit({.op = BodyOp::move, .r = cell, .a = from});
  loop.head = code_.here();
  code_.jump(loop.by > 0 ? BodyOp::jump_greater : BodyOp::jump_less, cell, loop.out, last);
}

// rumur: without a step the loop goes from its first bound to the other, wherever that is; with one
// that leads away it is an error.
void Lowering::open_either_way(VariableId id, Loop& loop) {
  const murphi::Variable& v = variable(id);
  const u32 cell = cell_of(id);
  const u32 first = code_.temporary();
  const u32 last = code_.temporary();
  loop.step = code_.temporary();
  code_.emit({.op = BodyOp::move, .r = first, .a = value(v.from)});
  code_.emit({.op = BodyOp::move, .r = last, .a = value(v.to)});
  const u32 zero = constant(0);
  Label up;
  Label wrong;
  Label fine;
  if (v.step == kNone) {
    set(loop.step, -1);
    code_.jump(BodyOp::jump_greater, first, fine, last);
    set(loop.step, 1);
  } else {
    code_.emit({.op = BodyOp::move, .r = loop.step, .a = value(v.step)});
    code_.jump(BodyOp::jump_zero, loop.step, wrong);
    code_.jump(BodyOp::jump_greater, loop.step, up, zero);
    code_.jump(BodyOp::jump_less, first, wrong, last);
    code_.jump(BodyOp::jump, 0, fine);
    code_.bind(up);
    code_.jump(BodyOp::jump_greater, first, wrong, last);
    code_.jump(BodyOp::jump, 0, fine);
    code_.bind(wrong);
    code_.emit({.op = BodyOp::fail,
                .reason = static_cast<u8>(ir::Failure::error),
                .note = code_.note(v.place, "the step of the loop does not lead to its end")});
  }
  code_.bind(fine);
  code_.emit({.op = BodyOp::move, .r = cell, .a = first});
  loop.head = code_.here();
  Label down;
  Label body;
  code_.jump(BodyOp::jump_less, loop.step, down, zero);
  code_.jump(BodyOp::jump_greater, cell, loop.out, last);
  code_.jump(BodyOp::jump, 0, body);
  code_.bind(down);
  code_.jump(BodyOp::jump_less, cell, loop.out, last);
  code_.bind(body);
}

void Lowering::close_loop(Loop& loop) {
  const u32 cell = cell_of(loop.variable);
  if (loop.step == kNone) {
    code_.emit({.op = BodyOp::offset, .r = cell, .a = cell, .b = static_cast<u32>(loop.by)});
  } else {
    code_.emit({.op = BodyOp::add, .r = cell, .a = cell, .b = loop.step});
  }
  code_.jump_back(loop.head);
  code_.bind(loop.out);
}

void Lowering::jump_if_free(const Place& slot, Label& to) {
  Place present = slot;
  present.base += type(slot.type).leaves;
  present.type = murphi::kBooleanType;
  const u32 r = code_.temporary();
  code_.emit({.op = BodyOp::is_undefined, .r = r, .a = load(present)});
  code_.jump(BodyOp::jump_not_zero, r, to);
}

// Elements that are present; the variable is the number of the slot.
void Lowering::open_slots(VariableId choice, SlotLoop& loop) {
  const murphi::Variable& v = variable(choice);
  loop.cell = cell_of(choice);
  set(loop.cell, 0);
  loop.head = code_.here();
  const Place multiset = place(v.value);
  const murphi::Type& t = type(multiset.type);
  XMC_CHECK(t.kind == TypeKind::multiset);
  code_.jump(BodyOp::jump_above, loop.cell, loop.out, t.count - 1);
  jump_if_free(slot_of(multiset, loop.cell, v.place), loop.next);
}

void Lowering::close_slots(SlotLoop& loop) {
  code_.bind(loop.next);
  code_.emit({.op = BodyOp::offset, .r = loop.cell, .a = loop.cell, .b = 1});
  code_.jump_back(loop.head);
  code_.bind(loop.out);
}

}  // namespace xmc::murphi_lower
