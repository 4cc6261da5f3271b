#include "lower/murphi/expr/loops.h"

#include "lower/murphi/expr/expr.h"
#include "lower/murphi/expr/memory.h"
#include "lower/murphi/expr/place.h"
#include "xmc/check.h"

namespace xmc::murphi_lower {

namespace {

// rumur: without a step the loop goes from its first bound to the other, wherever that is; with one
// that leads away it is an error.
void open_either_way(Code& code, const Scope& scope, const murphi::Variable& v, Loop& loop) {
  const u32 first = code.temporary();
  const u32 last = code.temporary();
  loop.step = code.temporary();
  code.move(first, value(code, scope, v.from));
  code.move(last, value(code, scope, v.to));
  const u32 zero = code.constant(0);
  Label up;
  Label wrong;
  Label fine;
  if (v.step == kNone) {
    code.set(loop.step, -1);
    code.jump(BodyOp::jump_greater, first, fine, last);
    code.set(loop.step, 1);
  } else {
    code.move(loop.step, value(code, scope, v.step));
    code.jump(BodyOp::jump_zero, loop.step, wrong);
    code.jump(BodyOp::jump_greater, loop.step, up, zero);
    code.jump(BodyOp::jump_less, first, wrong, last);
    code.jump(BodyOp::jump, 0, fine);
    code.bind(up);
    code.jump(BodyOp::jump_greater, first, wrong, last);
    code.jump(BodyOp::jump, 0, fine);
    code.bind(wrong);
    code.fail(ir::Failure::error, v.place, "the step of the loop does not lead to its end");
  }
  code.bind(fine);
  code.move(loop.cell, first);
  loop.head = code.here();
  Label down;
  Label body;
  code.jump(BodyOp::jump_less, loop.step, down, zero);
  code.jump(BodyOp::jump_greater, loop.cell, loop.out, last);
  code.jump(BodyOp::jump, 0, body);
  code.bind(down);
  code.jump(BodyOp::jump_less, loop.cell, loop.out, last);
  code.bind(body);
}

// From one bound to the other, by a step that is known.
void open_interval(Code& code, const Scope& scope, const murphi::Variable& v, Loop& loop) {
  if (v.step != kNone) {
    const murphi::Expr& step = scope.expr(v.step);
    if (step.op == Op::literal && step.value == static_cast<i32>(step.value)) {
      loop.by = static_cast<i32>(step.value);
    } else {
      code.refuse(step.place, "a step that is no constant of 32 bits");
    }
  }
  const u32 from = value(code, scope, v.from);
  const u32 last = code.temporary();
  const u32 to = value(code, scope, v.to);
  code.move(last, to);
  code.move(loop.cell, from);
  loop.head = code.here();
  code.jump(loop.by > 0 ? BodyOp::jump_greater : BodyOp::jump_less, loop.cell, loop.out, last);
}

}  // namespace

Loop open_loop(Code& code, const Scope& scope, VariableId id) {
  const murphi::Variable& v = scope.variable(id);
  Loop loop{.cell = cell_of(scope, id)};
  if (!v.is_interval) {
    const murphi::Type& t = scope.type(v.type);
    code.set(loop.cell, t.low);
    loop.head = code.here();
    code.jump(BodyOp::jump_above, loop.cell, loop.out, static_cast<u32>(static_cast<i32>(t.high)));
  } else if (scope.layout.rumur()) {
    open_either_way(code, scope, v, loop);
  } else {
    open_interval(code, scope, v, loop);
  }
  return loop;
}

void close_loop(Code& code, Loop& loop) {
  if (loop.step == kNone) {
    code.offset(loop.cell, loop.cell, static_cast<u32>(loop.by));
  } else {
    code.emit({.op = BodyOp::add, .r = loop.cell, .a = loop.cell, .b = loop.step});
  }
  code.jump_back(loop.head);
  code.bind(loop.out);
}

void jump_if_free(Code& code, const Scope& scope, const Place& slot, Label& to) {
  Place present = slot;
  present.base += scope.type(slot.type).leaves;
  present.type = murphi::kBooleanType;
  const u32 r = code.temporary();
  code.emit({.op = BodyOp::is_undefined, .r = r, .a = load(code, present)});
  code.jump(BodyOp::jump_not_zero, r, to);
}

SlotLoop open_slots(Code& code, const Scope& scope, VariableId choice) {
  const murphi::Variable& v = scope.variable(choice);
  SlotLoop loop{.cell = cell_of(scope, choice)};
  code.set(loop.cell, 0);
  loop.head = code.here();
  const Place multiset = place(code, scope, v.value);
  const murphi::Type& t = scope.type(multiset.type);
  XMC_CHECK(t.kind == TypeKind::multiset);
  code.jump(BodyOp::jump_above, loop.cell, loop.out, t.count - 1);
  jump_if_free(code, scope, slot_of(code, scope, multiset, loop.cell, v.place), loop.next);
  return loop;
}

void close_slots(Code& code, SlotLoop& loop) {
  code.bind(loop.next);
  code.offset(loop.cell, loop.cell, 1);
  code.jump_back(loop.head);
  code.bind(loop.out);
}

}  // namespace xmc::murphi_lower
