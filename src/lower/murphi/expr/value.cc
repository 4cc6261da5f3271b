#include "lower/murphi/expr/expr.h"
#include "lower/murphi/expr/memory.h"
#include "lower/murphi/expr/place.h"

namespace xmc::murphi_lower {

namespace {

// Of a simple designator.
bool may_be_undefined(const Scope& scope, ExprId id) {
  const murphi::Expr& e = scope.expr(id);
  if (e.op != Op::variable) return true;
  const Role role = scope.variable(e.a).role;
  return role != Role::loop && role != Role::parameter && role != Role::choice;
}

u32 designated(Code& code, const Scope& scope, ExprId id, bool maybe_undefined) {
  const u32 r = load(code, place(code, scope, id));
  if (!maybe_undefined && may_be_undefined(scope, id)) {
    code.emit({.op = BodyOp::defined, .note = code.note(scope.expr(id).place), .r = r});
  }
  return r;
}

}  // namespace

u32 value(Code& code, const Scope& scope, ExprId id, bool maybe_undefined) {
  const murphi::Expr& e = scope.expr(id);
  switch (e.op) {
    case Op::literal:
      return code.constant(e.value);
    case Op::undefined:
      return code.constant(ir::kUndefined);
    case Op::variable:
    case Op::field:
    case Op::element:
      return designated(code, scope, id, maybe_undefined);
    case Op::call: {
      const u32 r = call(code, scope, id);
      if (!maybe_undefined || !scope.layout.is_symbolic(scope.type_of(id))) {
        code.emit({.op = BodyOp::defined, .note = code.note(e.place), .r = r});
      }
      return r;
    }
    case Op::to_union:
    case Op::from_union:
      return converted(code, scope, id, maybe_undefined);
    case Op::negate:
    case Op::bit_not: {
      const BodyOp op = e.op == Op::negate ? BodyOp::negate : BodyOp::bit_not;
      const u32 a = value(code, scope, e.a);
      const u32 r = code.temporary();
      code.emit({.op = op, .note = code.note(e.place), .r = r, .a = a});
      return r;
    }
    case Op::logical_not:
    case Op::logical_and:
    case Op::logical_or:
    case Op::imply:
      return truth(code, scope, id);
    case Op::conditional:
      return chosen(code, scope, id);
    case Op::forall:
    case Op::exists:
      return quantified(code, scope, id);
    case Op::is_undefined: {
      const u32 a = value(code, scope, e.a, true);
      const u32 r = code.temporary();
      code.emit({.op = BodyOp::is_undefined, .r = r, .a = a});
      return r;
    }
    case Op::is_member:
      return member(code, scope, id);
    case Op::count:
      return count(code, scope, id);
    default:
      return binary(code, scope, id);
  }
}

}  // namespace xmc::murphi_lower
