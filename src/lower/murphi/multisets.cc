#include "lower/murphi/multisets.h"

#include "lower/murphi/expr/expr.h"
#include "lower/murphi/expr/loops.h"
#include "lower/murphi/expr/memory.h"
#include "lower/murphi/expr/place.h"

namespace xmc::murphi_lower {

namespace {

void free_slot(Code& code, const Scope& scope, const Place& slot) {
  fill(code, slot, 0, scope.type(slot.type).leaves + 1, code.constant(ir::kUndefined));
}

void sort(Code& code, const Layout& layout, TypeId id, u32 leaf) {
  const murphi::Type& t = layout.type(id);
  if (!t.has_multiset) return;
  if (t.kind == TypeKind::multiset) {
    const murphi::Type& element = layout.type(t.element);
    if (element.has_multiset) code.refuse(t.place, "a multiset of multisets");
    code.emit({.op = BodyOp::sort, .a = leaf, .b = t.count, .c = element.leaves + 1});
  } else if (t.kind == TypeKind::record) {
    for (u32 i = 0; i < t.count; ++i) {
      const murphi::Field& f = layout.system.fields[t.first + i];
      sort(code, layout, f.type, leaf + f.leaf);
    }
  } else if (t.kind == TypeKind::array) {
    const u32 stride = layout.type(t.element).leaves;
    for (u32 k = 0; k * stride < t.leaves; ++k) sort(code, layout, t.element, leaf + k * stride);
  }
}

}  // namespace

// Into the first free slot. The body ends with sorting, so that it does not matter which.
void add_element(Code& code, const Scope& scope, const murphi::Stmt& s) {
  const Place multiset = place(code, scope, s.b);
  const murphi::Type& t = scope.type(multiset.type);
  const u32 stride = scope.type(t.element).leaves + 1;
  const u32 at = code.temporary();
  code.move(at, address_of(code, multiset, t.leaves));
  const u32 tried = code.constant(0);
  const Place slot{.reg = at, .type = t.element};
  Label found;
  const u32 head = code.here();
  jump_if_free(code, scope, slot, found);
  code.offset(at, at, stride);
  code.offset(tried, tried, 1);
  Label full;
  code.jump(BodyOp::jump_above, tried, full, t.count - 1);
  code.jump_back(head);
  code.bind(full);
  code.fail(ir::Failure::full, scope.expr(s.b).place);
  code.bind(found);
  assign(code, scope, slot, s.a, s.place);
  code.emit({.op = BodyOp::store_at,
             .note = code.note(s.place),
             .r = code.constant(1),
             .a = stride - 1,
             .b = at});
}

void remove_element(Code& code, const Scope& scope, const murphi::Stmt& s) {
  const u32 choice = value(code, scope, s.a);
  const Place slot = slot_of(code, scope, place(code, scope, s.b), choice, s.place);
  Label absent;
  Label end;
  jump_if_free(code, scope, slot, absent);
  free_slot(code, scope, slot);
  code.jump(BodyOp::jump, 0, end);
  code.bind(absent);
  code.fail(ir::Failure::absent, s.place);
  code.bind(end);
}

void remove_matching(Code& code, const Scope& scope, const murphi::Stmt& s) {
  SlotLoop loop = open_slots(code, scope, s.a);
  branch(code, scope, s.b, loop.next, false);
  const murphi::Variable& v = scope.variable(s.a);
  const Place slot = slot_of(code, scope, place(code, scope, v.value), loop.cell, v.place);
  free_slot(code, scope, slot);
  close_slots(code, loop);
}

void sort_multisets(Code& code, const Layout& layout) {
  for (u32 i = 0; i < layout.system.variables.size(); ++i) {
    const murphi::Variable& v = layout.variable(i);
    if (v.role == Role::global) sort(code, layout, v.type, v.leaf);
  }
}

}  // namespace xmc::murphi_lower
