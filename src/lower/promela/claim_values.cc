#include "lower/promela/claim_values.h"

#include "xmc/binary_operation.h"
#include "xmc/scratch.h"

namespace xmc::promela_lower {

namespace {

using promela::Expr;
using promela::ExprId;
using promela::Leaf;
using promela::Op;

i32 stored(const Leaf& leaf, i32 v) {
  if (leaf.kind == promela::LeafKind::short_int) return static_cast<i16>(v);
  if (leaf.kind == promela::LeafKind::integer || leaf.width >= 32) return v;
  return static_cast<i32>(static_cast<u32>(v) & ((u32{1} << leaf.width) - 1));
}

class Beginning {
 public:
  Beginning(const promela::System& system, u32 claim, Arena& arena)
      : s_(system),
        claim_(system.proctypes[claim]),
        globals_(scratch_array<i32>(arena, "claim", system.global_leaves.size())),
        locals_(scratch_array<i32>(arena, "claim", claim_.leaf_count)) {}

  ClaimValues run() {
    i32 channels = 0;
    for (u32 i = 0; i < s_.global_initials.size() && out_.is_known; ++i) {
      const promela::Initial& one = s_.global_initials[i];
      const i32 v = one.value == kNone ? ++channels : value(one.value);
      for (u32 k = 0; k < one.count; ++k)
        globals_[one.leaf + k] = stored(s_.global_leaves[one.leaf + k], v);
    }
    for (u32 i = 0; i < claim_.initial_count && out_.is_known; ++i) {
      const promela::Initial& one = s_.local_initials[claim_.first_initial + i];
      const i32 v = one.value == kNone ? fail(claim_.place) : value(one.value);
      for (u32 k = 0; k < one.count; ++k)
        locals_[one.leaf + k] = stored(s_.local_leaves[claim_.first_leaf + one.leaf + k], v);
    }
    out_.values = locals_;
    return out_;
  }

 private:
  i32 fail(promela::Span place) {
    if (out_.is_known) out_.culprit = place;
    out_.is_known = false;
    return 0;
  }

  i32 load(const promela::Reference& r) {
    if (r.scope != promela::Scope::global && r.scope != promela::Scope::local) return fail(r.place);
    u32 at = r.leaf;
    for (u32 i = 0; i < r.index_count; ++i) {
      const promela::Index& index = s_.indexes[r.first_index + i];
      const i32 v = value(index.value);
      if (v < 0 || static_cast<u32>(v) >= index.bound) return fail(index.place);
      at += static_cast<u32>(v) * index.stride;
    }
    return r.scope == promela::Scope::global ? globals_[at] : locals_[at];
  }

  // Expressions are as deep as limits::kTreeDepth at most.
  i32 value(ExprId id) {
    const Expr& e = s_.expressions[id];
    switch (e.op) {
      case Op::literal:
        return e.value;
      case Op::load:
        return load(s_.references[e.a]);
      case Op::negate:
        return arith::negate(value(e.a));
      case Op::bit_not:
        return ~value(e.a);
      case Op::logical_not:
        return value(e.a) == 0 ? 1 : 0;
      case Op::conditional:
        return value(e.a) != 0 ? value(e.b) : value(e.c);
      case Op::logical_and:
        return value(e.a) != 0 && value(e.b) != 0 ? 1 : 0;
      case Op::logical_or:
        return value(e.a) != 0 || value(e.b) != 0 ? 1 : 0;
      default:
        if (e.op < Op::multiply || e.op > Op::bit_or) return fail(e.place);
        return operation(e, value(e.a), value(e.b));
    }
  }

  i32 operation(const Expr& e, i32 a, i32 b) {
    i32 out = 0;
    return arith::apply(e.op, a, b, out) ? out : fail(e.place);
  }

  const promela::System& s_;
  const promela::Proctype& claim_;
  std::span<i32> globals_;
  std::span<i32> locals_;
  ClaimValues out_;
};

}  // namespace

ClaimValues claim_values(const promela::System& system, u32 claim, Arena& arena) {
  return Beginning(system, claim, arena).run();
}

}  // namespace xmc::promela_lower
