// Designators: where a variable, a field or an element is.
#include "lower/murphi/lowering.h"
#include "xmc/check.h"

namespace xmc::murphi_lower {

u32 Lowering::constant(i64 value) {
  const u32 r = code_.temporary();
  set(r, value);
  return r;
}

void Lowering::set(u32 r, i64 value) {
  const u64 bits = static_cast<u64>(value);
  code_.emit({.op = BodyOp::constant,
              .r = r,
              .a = static_cast<u32>(bits),
              .b = static_cast<u32>(bits >> 32)});
}

u32 Lowering::cell_of(VariableId id) const {
  return cells_[id] != kNone ? cells_[id] : variable(id).leaf;
}

bool Lowering::is_place(ExprId id) const {
  const murphi::Expr& e = expr(id);
  if (e.op == Op::variable) {
    const murphi::Variable& v = variable(e.a);
    return v.role != Role::alias || is_place(v.value);
  }
  return (e.op == Op::field || e.op == Op::element) && is_place(e.a);
}

Place Lowering::variable_place(VariableId id) {
  const murphi::Variable& v = variable(id);
  switch (v.role) {
    case Role::global:
      return {.base = v.leaf, .type = v.type};
    case Role::reference:
      return {.reg = cell_of(id), .type = v.type};
    case Role::alias:
      if (is_place(v.value)) return aliases_[id];
      break;
    default:
      break;
  }
  return {.local = true, .base = cell_of(id), .type = v.type};
}

Place Lowering::place(ExprId id) {
  const murphi::Expr& e = expr(id);
  switch (e.op) {
    case Op::variable:
      return variable_place(e.a);
    case Op::field: {
      Place p = place(e.a);
      p.base += s_.fields[e.b].leaf;
      p.type = e.type;
      return p;
    }
    case Op::element: {
      const Place of = place(e.a);
      if (type_of(e.a).kind != TypeKind::multiset) return element(of, expr(e.a).type, e.b, e.place);
      Place p = slot_of(of, value(e.b), e.place);
      p.type = e.type;
      return p;
    }
    case Op::call:
      return {.local = true, .base = call(id), .type = e.type};
    default:
      refuse(e.place, "this expression as a record or array");
      return {.local = true, .type = e.type};
  }
}

Place Lowering::element(Place of, TypeId of_type, ExprId index, Span where) {
  const murphi::Type& array = type(of_type);
  const murphi::Type& digits = type(array.index);
  const u32 count = static_cast<u32>(digits.high - digits.low + 1);
  const u32 stride = type(array.element).leaves;
  of.type = array.element;
  if (expr(index).op == Op::literal) {
    const i64 digit = expr(index).value - digits.low;
    if (digit >= 0 && digit < count) {
      of.base += static_cast<u32>(digit) * stride;
      return of;
    }
  }
  const u32 at = code_.temporary();
  // An index is checked here, so that it may come undefined.
  const u32 r = value(index, true);
  BodyOp op = BodyOp::index;
  if (of.local) {
    code_.emit({.op = BodyOp::address, .r = at, .a = of.base, .c = array.leaves});
    of.base = 0;
    op = BodyOp::index_more;
  } else if (of.reg != kNone) {
    code_.emit({.op = BodyOp::move, .r = at, .a = of.reg});
    op = BodyOp::index_more;
  }
  code_.emit({.op = op,
              .note = code_.note(where),
              .r = at,
              .a = r,
              .b = static_cast<u32>(static_cast<i32>(digits.low)),
              .c = count,
              .d = stride});
  of.local = false;
  of.reg = at;
  return of;
}

// The element of a multiset in this slot, and what says behind it that it is present.
Place Lowering::slot_of(Place multiset, u32 slot, Span where) {
  const murphi::Type& t = type(multiset.type);
  XMC_CHECK(t.kind == TypeKind::multiset);
  const u32 at = code_.temporary();
  BodyOp op = BodyOp::index;
  if (multiset.local) {
    code_.emit({.op = BodyOp::address, .r = at, .a = multiset.base, .c = t.leaves});
    multiset.base = 0;
    op = BodyOp::index_more;
  } else if (multiset.reg != kNone) {
    code_.emit({.op = BodyOp::move, .r = at, .a = multiset.reg});
    op = BodyOp::index_more;
  }
  code_.emit({.op = op,
              .note = code_.note(where),
              .r = at,
              .a = slot,
              .c = t.count,
              .d = type(t.element).leaves + 1});
  return {.base = multiset.base, .reg = at, .type = t.element};
}

u32 Lowering::address_of(const Place& p) { return address_of(p, type(p.type).leaves); }

u32 Lowering::address_of(const Place& p, u32 leaves) {
  if (p.reg == kNone && !p.local) return constant(p.base);
  const u32 r = code_.temporary();
  if (p.local) {
    code_.emit({.op = BodyOp::address, .r = r, .a = p.base, .c = leaves});
  } else {
    code_.emit({.op = BodyOp::offset, .r = r, .a = p.reg, .b = p.base});
  }
  return r;
}

u32 Lowering::load(const Place& p) {
  if (p.local) return p.base;
  const u32 r = code_.temporary();
  if (p.reg == kNone) {
    code_.emit({.op = BodyOp::load, .r = r, .a = p.base});
  } else {
    code_.emit({.op = BodyOp::load_at, .r = r, .a = p.base, .b = p.reg});
  }
  return r;
}

void Lowering::store(const Place& p, u32 r, Span where) {
  if (p.local) {
    if (r != p.base) code_.emit({.op = BodyOp::move, .r = p.base, .a = r});
    return;
  }
  // The judge looks at every value that is stored, and wants to know where.
  const u16 note = code_.note(where);
  if (p.reg == kNone) {
    code_.emit({.op = BodyOp::store, .note = note, .r = r, .a = p.base});
  } else {
    code_.emit({.op = BodyOp::store_at, .note = note, .r = r, .a = p.base, .b = p.reg});
  }
}

void Lowering::copy(const Place& to, const Place& from, u32 leaves, Span where) {
  const u32 target = address_of(to, leaves);
  const u32 source = address_of(from, leaves);
  code_.emit(
      {.op = BodyOp::copy, .note = code_.note(where), .r = target, .a = source, .c = leaves});
}

void Lowering::fill(const Place& p, u32 offset, u32 leaves, u32 with) {
  Place at = p;
  at.base += offset;
  code_.emit({.op = BodyOp::fill, .r = address_of(at, leaves), .b = with, .c = leaves});
}

void Lowering::undefine(const Place& p) {
  if (is_compound(type(p.type))) return fill(p, 0, type(p.type).leaves, constant(ir::kUndefined));
  store(p, constant(ir::kUndefined), type(p.type).place);
}

// Whether all leaves have the same lowest value, and no multiset is among them.
bool Lowering::same_low(TypeId id, i64& low, bool& found) const {
  const murphi::Type& t = type(id);
  if (t.kind == TypeKind::multiset) return false;
  if (t.kind == TypeKind::array) return same_low(t.element, low, found);
  if (t.kind == TypeKind::record) {
    for (u32 i = 0; i < t.count; ++i) {
      if (!same_low(s_.fields[t.first + i].type, low, found)) return false;
    }
    return true;
  }
  if (found && low != t.low) return false;
  low = t.low;
  found = true;
  return true;
}

void Lowering::clear(const Place& p) { clear(p, 0, p.type); }

void Lowering::clear(const Place& p, u32 offset, TypeId id) {
  const murphi::Type& t = type(id);
  i64 low = 0;
  bool found = false;
  if (t.kind == TypeKind::multiset) return fill(p, offset, t.leaves, constant(ir::kUndefined));
  if (same_low(id, low, found)) {
    if (t.leaves != 0) fill(p, offset, t.leaves, constant(low));
    return;
  }
  if (t.kind == TypeKind::record) {
    for (u32 i = 0; i < t.count; ++i) {
      const murphi::Field& f = s_.fields[t.first + i];
      clear(p, offset + f.leaf, f.type);
    }
    return;
  }
  XMC_CHECK(t.kind == TypeKind::array);
  const u32 stride = type(t.element).leaves;
  for (u32 k = 0; k * stride < t.leaves; ++k) clear(p, offset + k * stride, t.element);
}

}  // namespace xmc::murphi_lower
