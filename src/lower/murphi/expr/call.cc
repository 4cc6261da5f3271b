// A call puts its arguments into what will be the callee's registers, behind all that the caller
// uses.
#include <algorithm>

#include "lower/murphi/expr/expr.h"
#include "lower/murphi/expr/memory.h"
#include "lower/murphi/expr/place.h"

namespace xmc::murphi_lower {

namespace {

constexpr u32 kArguments = 64;

// A simple value or an address comes into a register of its own; a compound stays where it is until
// all arguments are there.
u32 argument(Code& code, const Scope& scope, const murphi::Variable& formal, ExprId actual) {
  const murphi::Expr& e = scope.expr(actual);
  const u32 leaves = scope.type(e.type).leaves;
  const u32 reg = code.temporary();
  if (formal.role == Role::reference) {
    code.move(reg, address_of(code, place(code, scope, actual), leaves));
  } else if (!is_compound(scope.type(formal.type))) {
    const u32 r = value(code, scope, actual, true);
    check_range(code, scope, r, actual, formal.type, e.place);
    code.move(reg, r);
  } else if (e.op != Op::undefined) {
    const Place from = place(code, scope, actual);
    // A result lies where the next call puts its own registers.
    if (e.op == Op::call) code.give_back(std::max(code.top(), from.base + leaves));
    code.move(reg, address_of(code, from, leaves));
  }
  return reg;
}

// Into the callee's register `to`, from where argument() left it.
void pass(Code& code, const Scope& scope, const murphi::Variable& formal, ExprId actual, u32 reg,
          u32 to) {
  const murphi::Type& t = scope.type(formal.type);
  if (formal.role == Role::reference || !is_compound(t)) return code.move(to, reg);
  const u32 top = code.top();
  const u32 address = code.temporary();
  code.emit({.op = BodyOp::address, .r = address, .a = to, .c = t.leaves});
  if (scope.expr(actual).op == Op::undefined) {
    const u32 undefined = code.constant(ir::kUndefined);
    code.emit({.op = BodyOp::fill, .r = address, .b = undefined, .c = t.leaves});
  } else {
    code.emit({.op = BodyOp::copy, .r = address, .a = reg, .c = t.leaves});
  }
  code.give_back(top);
}

}  // namespace

u32 call(Code& code, const Scope& scope, ExprId id) {
  const murphi::System& s = scope.system();
  const murphi::Expr& e = scope.expr(id);
  const RoutineFrame& frame = scope.layout.frames[e.a];
  if (e.c > kArguments) {
    code.refuse(e.place, "a call with more than 64 arguments");
    return code.constant(0);
  }
  const u32 first = s.routines[e.a].first_parameter;
  u32 regs[kArguments];
  for (u32 i = 0; i < e.c; ++i) {
    const murphi::Variable& formal = scope.variable(s.parameters[first + i]);
    regs[i] = argument(code, scope, formal, s.arguments[e.b + i]);
  }
  const u32 base = code.temporary(frame.fixed + 2);
  for (u32 i = 0; i < e.c; ++i) {
    const VariableId formal = s.parameters[first + i];
    pass(code, scope, scope.variable(formal), s.arguments[e.b + i], regs[i],
         base + cell_of(scope, formal));
  }
  code.emit({.op = BodyOp::call, .note = code.note(e.place), .a = e.a, .b = base});
  return base + frame.result;
}

}  // namespace xmc::murphi_lower
