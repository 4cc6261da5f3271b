#include "lower/murphi/expr/expr.h"
#include "lower/murphi/expr/memory.h"
#include "lower/murphi/expr/place.h"

namespace xmc::murphi_lower {

namespace {

// Whether evaluating it can change what a register of the body holds.
bool calls(const Scope& scope, ExprId id) {
  const murphi::Expr& e = scope.expr(id);
  switch (e.op) {
    case Op::literal:
    case Op::undefined:
    case Op::variable:
      return false;
    case Op::call:
      return true;
    case Op::forall:
    case Op::exists:
    case Op::count:
      return calls(scope, e.b);
    case Op::field:
    case Op::to_union:
    case Op::from_union:
    case Op::negate:
    case Op::bit_not:
    case Op::logical_not:
    case Op::is_undefined:
    case Op::is_member:
      return calls(scope, e.a);
    case Op::conditional:
      return calls(scope, e.a) || calls(scope, e.b) || calls(scope, e.c);
    default:
      return calls(scope, e.a) || calls(scope, e.b);
  }
}

// Leaf by leaf, until two differ. An undefined one is an error, as it is between simple values.
u32 compare_compounds(Code& code, const Scope& scope, ExprId id) {
  const murphi::Expr& e = scope.expr(id);
  const u32 r = code.temporary();
  const u32 a = code.temporary();
  const u32 b = code.temporary();
  const u32 leaves = scope.type_of(e.a).leaves;
  code.move(a, address_of(code, place(code, scope, e.a), leaves));
  code.move(b, address_of(code, place(code, scope, e.b), leaves));
  const u32 done = code.constant(0);
  Label same;
  Label end;
  code.set(r, e.op == Op::equal ? 0 : 1);
  const u32 head = code.here();
  code.jump(BodyOp::jump_above, done, same, leaves - 1);
  const u32 left = code.temporary();
  const u32 right = code.temporary();
  code.emit({.op = BodyOp::load_at, .r = left, .b = a});
  code.emit({.op = BodyOp::load_at, .r = right, .b = b});
  code.emit({.op = BodyOp::defined, .note = code.note(scope.expr(e.a).place), .r = left});
  code.emit({.op = BodyOp::defined, .note = code.note(scope.expr(e.b).place), .r = right});
  code.emit({.op = BodyOp::equal, .r = left, .a = left, .b = right});
  code.jump(BodyOp::jump_zero, left, end);
  for (const u32 moved : {a, b, done}) code.offset(moved, moved, 1);
  code.jump_back(head);
  code.bind(same);
  code.set(r, e.op == Op::equal ? 1 : 0);
  code.bind(end);
  return r;
}

}  // namespace

u32 binary(Code& code, const Scope& scope, ExprId id) {
  const murphi::Expr& e = scope.expr(id);
  const bool comparison = e.op == Op::equal || e.op == Op::not_equal;
  if (is_compound(scope.type_of(e.a))) return compare_compounds(code, scope, id);
  const bool symbolic = comparison && scope.layout.is_symbolic(scope.type_of(e.a));
  u32 a = value(code, scope, e.a, symbolic);
  if (!code.is_temporary(a) && calls(scope, e.b)) {
    const u32 kept = code.temporary();
    code.move(kept, a);
    a = kept;
  }
  const u32 b = value(code, scope, e.b, symbolic);
  const u32 r = code.temporary();
  const bool can_fail = e.op < Op::less || e.op > Op::not_equal;
  const u16 note = can_fail ? code.note(e.place) : u16{0};
  code.emit({.op = same_operator<BodyOp>(e.op), .note = note, .r = r, .a = a, .b = b});
  return r;
}

}  // namespace xmc::murphi_lower
