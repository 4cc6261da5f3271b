#include "lower/promela/expr/references.h"

#include "lower/promela/expr/processes.h"
#include "xmc/check.h"

namespace xmc::promela_lower {

Interval local_range(const Writer& w, const Scope& scope, u32 leaf) {
  const Interval range = scope.place == kNone ? w.facts.local(scope.slot, scope.proctype, leaf)
                                              : w.facts.local_at(scope.slot, scope.place, leaf);
  return range.empty() ? w.slots.range(w.slots.cell(w.slots.type(scope.type), leaf)) : range;
}

Address address(Writer& w, const Scope& scope, const Reference& r, u32 base) {
  Address out{base, kNone};
  for (u32 i = 0; i < r.index_count; ++i) {
    const promela::Index& index = w.s.indexes[r.first_index + i];
    const Value v = value(w, scope, index.value);
    const i32 bound = static_cast<i32>(index.bound);
    if (v.known() && v.range.inside(0, bound - 1)) {
      out.base += static_cast<u32>(v.range.lo) * index.stride;
      continue;
    }
    const u32 from = in_register(w, v);
    const bool is_first = out.reg == kNone;
    w.log.safe(v.range.inside(0, bound - 1));
    if (is_first) out.reg = w.code.temporary();
    w.code.emit({.op = is_first ? BodyOp::index : BodyOp::index_more,
                 .note = note(w, index.place),
                 .r = out.reg,
                 .a = from,
                 .b = 0,
                 .c = index.bound,
                 .d = index.stride});
  }
  return out;
}

Value load(Writer& w, const Address& at, Interval range) {
  if (range.empty()) range = {0, 0};  // it is never read
  if (range.single()) return {kNone, range};
  const u32 r = w.code.temporary();
  if (at.reg == kNone) {
    load_into(w, r, at.base);
  } else {
    w.code.emit({.op = BodyOp::load_at, .r = r, .a = at.base, .b = at.reg});
  }
  return {r, range};
}

void load_into(Writer& w, u32 r, u32 leaf) { w.code.emit({.op = BodyOp::load, .r = r, .a = leaf}); }

u32 load_place(Writer& w, u32 q) {
  const u32 r = w.code.temporary();
  load_into(w, r, w.slots.slot(q).place);
  return r;
}

Value load_leaf(Writer& w, u32 leaf) { return load(w, {leaf, kNone}, w.slots.range(leaf)); }

namespace {

// Of an array that nothing changes: the element is found by comparisons.
Value read_of_claim(Writer& w, const Scope& scope, const Reference& r) {
  const Address at = address(w, scope, r, r.leaf);
  if (at.reg == kNone) return known(w.claim_values[at.base]);
  const u32 out = constant(w, 0);
  Interval range;
  Label end;
  for_elements(w.s, r, at.base, 0, [&](u32 leaf) {
    const i32 v = w.claim_values[leaf];
    Label next;
    const u32 top = w.code.top();
    jump_unless_is(w, {at.reg, {}}, leaf - at.base, next);
    set(w, out, v);
    w.code.jump(BodyOp::jump, 0, end);
    w.code.bind(next);
    w.code.give_back(top);
    range = ir::join(range, {v, v});
  });
  w.code.bind(end);
  return {out, range};
}

}  // namespace

Value read(Writer& w, const Scope& scope, RefId id) {
  const Reference& r = w.s.references[id];
  Interval range;
  switch (r.scope) {
    case promela::Scope::global:
      for_elements(w.s, r, r.leaf, 0,
                   [&](u32 leaf) { range = ir::join(range, w.slots.range(leaf)); });
      return load(w, address(w, scope, r, r.leaf), range);
    case promela::Scope::local: {
      if (scope.slot == promela::kClaim) return read_of_claim(w, scope, r);
      for_elements(w.s, r, r.leaf, 0,
                   [&](u32 leaf) { range = ir::join(range, local_range(w, scope, leaf)); });
      return load(w, address(w, scope, r, w.slots.cell(w.slots.type(scope.type), r.leaf)), range);
    }
    case promela::Scope::remote:
      return read_remote(w, scope, r);
    default:
      return known(0);
  }
}

void write_leaf(Writer& w, const Address& at, const Value& v, const Change& change) {
  if (w.layout.is_constant(at.base)) return;
  const u32 from = in_register(w, v);
  w.log.store(v.range, change);
  if (at.reg == kNone) {
    w.code.emit({.op = BodyOp::store, .r = from, .a = at.base});
  } else {
    w.code.emit({.op = BodyOp::store_at, .r = from, .a = at.base, .b = at.reg});
  }
}

void write(Writer& w, const Scope& scope, RefId id, const Value& v, PlaceId behind,
           const Change& change) {
  const Reference& r = w.s.references[id];
  if (r.scope == promela::Scope::nowhere) return;
  XMC_CHECK(r.scope == promela::Scope::global || r.scope == promela::Scope::local);
  const bool is_global = r.scope == promela::Scope::global;
  u32 base = r.leaf;
  if (!is_global) {
    if (w.dead.is_useless(r, behind)) return w.dead.drop();
    base = w.slots.cell(w.slots.type(scope.type), r.leaf);
    for_elements(w.s, r, base, 0, [&](u32 leaf) { w.dead.note_write(leaf); });
  }
  const Address to = address(w, scope, r, base);
  write_leaf(w, to, cut(w, r.leaf_type, v), change);
}

}  // namespace xmc::promela_lower
