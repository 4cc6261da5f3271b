#include "lower/murphi/expr/expr.h"
#include "lower/murphi/expr/memory.h"
#include "lower/murphi/expr/place.h"

namespace xmc::murphi_lower {

void check_range(Code& code, const Scope& scope, u32 r, ExprId from, TypeId to, Span where) {
  const murphi::Type& t = scope.type(to);
  const murphi::Expr& e = scope.expr(from);
  const murphi::Type& has = scope.type(e.type);
  if (t.kind != TypeKind::range) return;
  if (e.op == Op::literal && e.value >= t.low && e.value <= t.high) return;
  if (has.kind == TypeKind::range && has.low >= t.low && has.high <= t.high) return;
  code.emit({.op = BodyOp::in_range,
             .note = code.note(where),
             .r = r,
             .a = static_cast<u32>(static_cast<i32>(t.low)),
             .b = static_cast<u32>(static_cast<i32>(t.high))});
}

void assign(Code& code, const Scope& scope, const Place& to, ExprId from, Span where) {
  const murphi::Expr& e = scope.expr(from);
  if (e.op == Op::undefined) return undefine(code, scope, to);
  if (is_compound(scope.type(to.type))) {
    const Place source = place(code, scope, from);
    return copy(code, to, source, scope.type(to.type).leaves, where);
  }
  const u32 r = value(code, scope, from, !scope.layout.rumur());
  check_range(code, scope, r, from, to.type, where);
  store(code, to, r, where);
}

}  // namespace xmc::murphi_lower
