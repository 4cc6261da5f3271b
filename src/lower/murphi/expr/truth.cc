// Conditions: jumps, and values made of them.
#include "lower/murphi/expr/expr.h"
#include "lower/murphi/expr/loops.h"

namespace xmc::murphi_lower {

u32 truth(Code& code, const Scope& scope, ExprId id) {
  const u32 r = code.constant(0);
  Label no;
  branch(code, scope, id, no, false);
  code.set(r, 1);
  code.bind(no);
  return r;
}

u32 chosen(Code& code, const Scope& scope, ExprId id) {
  const murphi::Expr& e = scope.expr(id);
  if (is_compound(scope.type(e.type))) {
    code.refuse(e.place, "a conditional between records or arrays");
    return code.constant(0);
  }
  const u32 r = code.temporary();
  Label other;
  Label end;
  branch(code, scope, e.a, other, false);
  code.move(r, value(code, scope, e.b));
  code.jump(BodyOp::jump, 0, end);
  code.bind(other);
  code.move(r, value(code, scope, e.c));
  code.bind(end);
  return r;
}

u32 quantified(Code& code, const Scope& scope, ExprId id) {
  const murphi::Expr& e = scope.expr(id);
  const bool all = e.op == Op::forall;
  const u32 r = code.constant(all ? 0 : 1);
  Label decided;
  Loop loop = open_loop(code, scope, e.a);
  branch(code, scope, e.b, decided, !all);
  close_loop(code, loop);
  code.set(r, all ? 1 : 0);
  code.bind(decided);
  return r;
}

u32 count(Code& code, const Scope& scope, ExprId id) {
  const murphi::Expr& e = scope.expr(id);
  const u32 r = code.constant(0);
  SlotLoop loop = open_slots(code, scope, e.a);
  branch(code, scope, e.b, loop.next, false);
  code.offset(r, r, 1);
  close_slots(code, loop);
  return r;
}

void branch(Code& code, const Scope& scope, ExprId id, Label& to, bool when) {
  const murphi::Expr& e = scope.expr(id);
  switch (e.op) {
    case Op::literal:
      if ((e.value != 0) == when) code.jump(BodyOp::jump, 0, to);
      return;
    case Op::logical_not:
      return branch(code, scope, e.a, to, !when);
    case Op::logical_and:
    case Op::logical_or:
    case Op::imply: {
      // a | b and a -> b are decided by a alone where it is true or false; so is a & b.
      const bool decides = e.op == Op::logical_or;
      const bool result = e.op != Op::logical_and;
      if (when == result) {
        branch(code, scope, e.a, to, decides);
        return branch(code, scope, e.b, to, when);
      }
      Label past;
      branch(code, scope, e.a, past, decides);
      branch(code, scope, e.b, to, when);
      code.bind(past);
      return;
    }
    default: {
      const u32 top = code.top();
      const u32 r = value(code, scope, id);
      code.jump(when ? BodyOp::jump_not_zero : BodyOp::jump_zero, r, to);
      code.give_back(top);
    }
  }
}

}  // namespace xmc::murphi_lower
