// Values of unions, which count through their parts.
#include "lower/murphi/expr/expr.h"

namespace xmc::murphi_lower {

namespace {

u32 first_value(const Scope& scope, TypeId of_union, TypeId part) {
  const murphi::Type& t = scope.type(of_union);
  for (u32 i = 0; i < t.count; ++i) {
    const murphi::Part& p = scope.system().parts[t.first + i];
    if (p.type == part) return p.first_value;
  }
  return 0;
}

}  // namespace

u32 converted(Code& code, const Scope& scope, ExprId id, bool maybe_undefined) {
  const murphi::Expr& e = scope.expr(id);
  const u32 a = value(code, scope, e.a, maybe_undefined);
  const u32 r = code.temporary();
  if (e.op == Op::to_union) {
    const u32 first = first_value(scope, e.type, scope.expr(e.a).type);
    code.emit({.op = BodyOp::widen, .r = r, .a = a, .b = first});
  } else {
    const murphi::Type& part = scope.type(e.type);
    code.emit({.op = BodyOp::narrow,
               .note = code.note(e.place),
               .r = r,
               .a = a,
               .b = first_value(scope, scope.expr(e.a).type, e.type),
               .c = static_cast<u32>(part.high - part.low + 1)});
  }
  return r;
}

u32 member(Code& code, const Scope& scope, ExprId id) {
  const murphi::Expr& e = scope.expr(id);
  const murphi::Type& part = scope.type(e.b);
  const bool of_union = scope.type_of(e.a).kind == TypeKind::union_of;
  const u32 first = of_union ? first_value(scope, scope.expr(e.a).type, e.b) : 0;
  const u32 a = value(code, scope, e.a, true);
  const u32 r = code.temporary();
  code.emit({.op = BodyOp::member,
             .r = r,
             .a = a,
             .b = first,
             .c = first + static_cast<u32>(part.high - part.low)});
  return r;
}

}  // namespace xmc::murphi_lower
