#include "lower/murphi/expr/memory.h"

#include "xmc/check.h"

namespace xmc::murphi_lower {

namespace {

// Whether all leaves have the same lowest value, and no multiset is among them.
bool same_low(const Scope& scope, TypeId id, i64& low, bool& found) {
  const murphi::Type& t = scope.type(id);
  if (t.kind == TypeKind::multiset) return false;
  if (t.kind == TypeKind::array) return same_low(scope, t.element, low, found);
  if (t.kind == TypeKind::record) {
    for (u32 i = 0; i < t.count; ++i) {
      if (!same_low(scope, scope.system().fields[t.first + i].type, low, found)) return false;
    }
    return true;
  }
  if (found && low != t.low) return false;
  low = t.low;
  found = true;
  return true;
}

void clear_part(Code& code, const Scope& scope, const Place& p, u32 offset, TypeId id) {
  const murphi::Type& t = scope.type(id);
  i64 low = 0;
  bool found = false;
  if (t.kind == TypeKind::multiset)
    return fill(code, p, offset, t.leaves, code.constant(ir::kUndefined));
  if (same_low(scope, id, low, found)) {
    if (t.leaves != 0) fill(code, p, offset, t.leaves, code.constant(low));
    return;
  }
  if (t.kind == TypeKind::record) {
    for (u32 i = 0; i < t.count; ++i) {
      const murphi::Field& f = scope.system().fields[t.first + i];
      clear_part(code, scope, p, offset + f.leaf, f.type);
    }
    return;
  }
  XMC_CHECK(t.kind == TypeKind::array);
  const u32 stride = scope.type(t.element).leaves;
  for (u32 k = 0; k * stride < t.leaves; ++k)
    clear_part(code, scope, p, offset + k * stride, t.element);
}

}  // namespace

u32 address_of(Code& code, const Place& p, u32 leaves) {
  if (p.reg == kNone && !p.local) return code.constant(p.base);
  const u32 r = code.temporary();
  if (p.local) {
    code.emit({.op = BodyOp::address, .r = r, .a = p.base, .c = leaves});
  } else {
    code.offset(r, p.reg, p.base);
  }
  return r;
}

u32 load(Code& code, const Place& p) {
  if (p.local) return p.base;
  const u32 r = code.temporary();
  if (p.reg == kNone) {
    code.emit({.op = BodyOp::load, .r = r, .a = p.base});
  } else {
    code.emit({.op = BodyOp::load_at, .r = r, .a = p.base, .b = p.reg});
  }
  return r;
}

void store(Code& code, const Place& p, u32 r, Span where) {
  if (p.local) {
    if (r != p.base) code.move(p.base, r);
    return;
  }
  // The judge looks at every value that is stored, and wants to know where.
  const u16 note = code.note(where);
  if (p.reg == kNone) {
    code.emit({.op = BodyOp::store, .note = note, .r = r, .a = p.base});
  } else {
    code.emit({.op = BodyOp::store_at, .note = note, .r = r, .a = p.base, .b = p.reg});
  }
}

void copy(Code& code, const Place& to, const Place& from, u32 leaves, Span where) {
  const u32 target = address_of(code, to, leaves);
  const u32 source = address_of(code, from, leaves);
  code.emit({.op = BodyOp::copy, .note = code.note(where), .r = target, .a = source, .c = leaves});
}

void fill(Code& code, const Place& p, u32 offset, u32 leaves, u32 with) {
  Place at = p;
  at.base += offset;
  code.emit({.op = BodyOp::fill, .r = address_of(code, at, leaves), .b = with, .c = leaves});
}

void undefine(Code& code, const Scope& scope, const Place& p) {
  const murphi::Type& t = scope.type(p.type);
  const u32 undefined = code.constant(ir::kUndefined);
  if (is_compound(t)) return fill(code, p, 0, t.leaves, undefined);
  store(code, p, undefined, t.place);
}

void clear(Code& code, const Scope& scope, const Place& p) {
  clear_part(code, scope, p, 0, p.type);
}

}  // namespace xmc::murphi_lower
