#include "lower/murphi/expr/place.h"

#include "lower/murphi/expr/expr.h"
#include "xmc/check.h"

namespace xmc::murphi_lower {

namespace {

bool is_place(const Scope& scope, ExprId id) {
  const murphi::Expr& e = scope.expr(id);
  if (e.op == Op::variable) {
    const murphi::Variable& v = scope.variable(e.a);
    return v.role != Role::alias || is_place(scope, v.value);
  }
  return (e.op == Op::field || e.op == Op::element) && is_place(scope, e.a);
}

const Place& alias_place(const Scope& scope, VariableId id) {
  const Alias* alias = scope.aliases;
  while (alias != nullptr && alias->variable != id) alias = alias->outer;
  XMC_CHECK(alias != nullptr);
  return alias->place;
}

Place variable_place(const Scope& scope, VariableId id) {
  const murphi::Variable& v = scope.variable(id);
  switch (v.role) {
    case Role::global:
      return {.base = v.leaf, .type = v.type};
    case Role::reference:
      return {.reg = cell_of(scope, id), .type = v.type};
    case Role::alias:
      return alias_place(scope, id);
    default:
      return {.local = true, .base = cell_of(scope, id), .type = v.type};
  }
}

// A part of `of`, all of whose leaves are `leaves`, where the index leads. The action has its
// operands.
Place indexed(Code& code, Place of, u32 leaves, ir::Action index) {
  index.op = BodyOp::index_more;
  if (of.local) {
    code.emit({.op = BodyOp::address, .r = index.r, .a = of.base, .c = leaves});
    of.base = 0;
  } else if (of.reg != kNone) {
    code.move(index.r, of.reg);
  } else {
    index.op = BodyOp::index;
  }
  code.emit(index);
  return {.base = of.base, .reg = index.r, .type = of.type};
}

Place element(Code& code, const Scope& scope, Place of, TypeId of_type, ExprId index, Span where) {
  const murphi::Type& array = scope.type(of_type);
  const murphi::Type& digits = scope.type(array.index);
  const u32 count = static_cast<u32>(digits.high - digits.low + 1);
  const u32 stride = scope.type(array.element).leaves;
  of.type = array.element;
  if (scope.expr(index).op == Op::literal) {
    const i64 digit = scope.expr(index).value - digits.low;
    if (digit >= 0 && digit < count) {
      of.base += static_cast<u32>(digit) * stride;
      return of;
    }
  }
  const u32 at = code.temporary();
  // An index is checked here, so that it may come undefined.
  const u32 r = value(code, scope, index, true);
  return indexed(code, of, array.leaves,
                 {.note = code.note(where),
                  .r = at,
                  .a = r,
                  .b = static_cast<u32>(static_cast<i32>(digits.low)),
                  .c = count,
                  .d = stride});
}

}  // namespace

// The element of a multiset in this slot, and what says behind it that it is present.
Place slot_of(Code& code, const Scope& scope, Place multiset, u32 slot, Span where) {
  const murphi::Type& t = scope.type(multiset.type);
  XMC_CHECK(t.kind == TypeKind::multiset);
  multiset.type = t.element;
  return indexed(code, multiset, t.leaves,
                 {.note = code.note(where),
                  .r = code.temporary(),
                  .a = slot,
                  .c = t.count,
                  .d = scope.type(t.element).leaves + 1});
}

Place place(Code& code, const Scope& scope, ExprId id) {
  const murphi::Expr& e = scope.expr(id);
  switch (e.op) {
    case Op::variable:
      return variable_place(scope, e.a);
    case Op::field: {
      Place p = place(code, scope, e.a);
      p.base += scope.system().fields[e.b].leaf;
      p.type = e.type;
      return p;
    }
    case Op::element: {
      const Place of = place(code, scope, e.a);
      if (scope.type_of(e.a).kind != TypeKind::multiset)
        return element(code, scope, of, scope.expr(e.a).type, e.b, e.place);
      Place p = slot_of(code, scope, of, value(code, scope, e.b), e.place);
      p.type = e.type;
      return p;
    }
    case Op::call:
      return {.local = true, .base = call(code, scope, id), .type = e.type};
    default:
      code.refuse(e.place, "this expression as a record or array");
      return {.local = true, .type = e.type};
  }
}

// Indices of a place are evaluated here, once; a value is, too.
Alias bind_alias(Code& code, const Scope& scope, VariableId id) {
  const murphi::Variable& v = scope.variable(id);
  if (is_place(scope, v.value)) return {id, place(code, scope, v.value), scope.aliases};
  const Place kept{.local = true, .base = cell_of(scope, id), .type = v.type};
  assign(code, scope, kept, v.value, v.place);
  return {id, kept, scope.aliases};
}

}  // namespace xmc::murphi_lower
