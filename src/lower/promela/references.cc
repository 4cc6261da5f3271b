// Variables: where they are, what they can hold, reading and writing.
#include "lower/promela/lowering.h"
#include "xmc/check.h"

namespace xmc::promela_lower {

Interval Lowering::local_range(const Frame& frame, u32 leaf) const {
  const Interval range = frame.place == kNone ? facts_.local(frame.slot, frame.proctype, leaf)
                                              : facts_.local_at(frame.slot, frame.place, leaf);
  return range.empty() ? slots_.range(slots_.cell(slots_.type(frame.type), leaf)) : range;
}

// Where it is, if its frame begins at leaf `base`; or where the first of its variable's leaves is,
// which come in a row wherever the variable is.
Address Lowering::address(const Reference& r, u32 base) {
  Address out{base, kNone};
  for (u32 i = 0; i < r.index_count; ++i) {
    const promela::Index& index = s_.indexes[r.first_index + i];
    const Value v = value(index.value);
    const i32 bound = static_cast<i32>(index.bound);
    if (v.known() && v.range.inside(0, bound - 1)) {
      out.base += static_cast<u32>(v.range.lo) * index.stride;
      continue;
    }
    const u32 from = in_register(v);
    const bool is_first = out.reg == kNone;
    note_safe(v.range.inside(0, bound - 1));
    if (is_first) out.reg = code_.temporary();
    code_.emit({.op = is_first ? BodyOp::index : BodyOp::index_more,
                .note = note(index.place),
                .r = out.reg,
                .a = from,
                .b = 0,
                .c = index.bound,
                .d = index.stride});
  }
  return out;
}

Value Lowering::load(const Address& at, Interval range) {
  if (range.empty()) range = {0, 0};  // it is never read
  if (range.single()) return {kNone, range};
  const u32 r = code_.temporary();
  if (at.reg == kNone) {
    code_.emit({.op = BodyOp::load, .r = r, .a = at.base});
  } else {
    code_.emit({.op = BodyOp::load_at, .r = r, .a = at.base, .b = at.reg});
  }
  return {r, range};
}

Value Lowering::load_leaf(u32 leaf) { return load({leaf, kNone}, slots_.range(leaf)); }

// Of an array that nothing changes: the element is found by comparisons.
Value Lowering::read_of_claim(const Reference& r) {
  const Address at = address(r, r.leaf);
  if (at.reg == kNone) return known(claim_values_.values[at.base]);
  const u32 out = constant(0);
  Interval range;
  Label end;
  for_elements(s_, r, at.base, 0, [&](u32 leaf) {
    const i32 v = claim_values_.values[leaf];
    Label next;
    const u32 top = code_.top();
    const u32 is = constant(leaf - at.base);
    code_.emit({.op = BodyOp::equal, .r = is, .a = at.reg, .b = is});
    code_.jump(BodyOp::jump_zero, is, next);
    set(out, v);
    code_.jump(BodyOp::jump, 0, end);
    code_.bind(next);
    code_.give_back(top);
    range = ir::join(range, {v, v});
  });
  code_.bind(end);
  return {out, range};
}

Value Lowering::read(RefId id) {
  const Reference& r = s_.references[id];
  Interval range;
  switch (r.scope) {
    case Scope::global:
      for_elements(s_, r, r.leaf, 0,
                   [&](u32 leaf) { range = ir::join(range, slots_.range(leaf)); });
      return load(address(r, r.leaf), range);
    case Scope::local: {
      if (frame_.slot == promela::kClaim) return read_of_claim(r);
      for_elements(s_, r, r.leaf, 0,
                   [&](u32 leaf) { range = ir::join(range, local_range(frame_, leaf)); });
      return load(address(r, slots_.cell(slots_.type(frame_.type), r.leaf)), range);
    }
    case Scope::remote:
      return read_remote(r);
    default:
      return known(0);
  }
}

void Lowering::write_leaf(const Address& at, const Value& v) {
  if (layout_.is_constant(at.base)) return;
  const u32 from = in_register(v);
  note_store(v.range);
  if (at.reg == kNone) {
    code_.emit({.op = BodyOp::store, .r = from, .a = at.base});
  } else {
    code_.emit({.op = BodyOp::store_at, .r = from, .a = at.base, .b = at.reg});
  }
}

void Lowering::write(RefId id, const Value& v) {
  const Reference& r = s_.references[id];
  if (r.scope == Scope::nowhere) return;
  XMC_CHECK(r.scope == Scope::global || r.scope == Scope::local);
  const bool is_global = r.scope == Scope::global;
  if (!is_global && is_useless(r)) {
    ++dropped_;
    return;
  }
  if (!is_global) note_write(r, slots_.cell(slots_.type(frame_.type), r.leaf));
  const Address to = address(r, is_global ? r.leaf : slots_.cell(slots_.type(frame_.type), r.leaf));
  write_leaf(to, cut(r.leaf_type, v));
}

}  // namespace xmc::promela_lower
