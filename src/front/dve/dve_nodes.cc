#include "front/dve/dve_nodes.h"

#include "front/fold.h"
#include "xmc/bytes.h"
#include "xmc/check.h"

namespace xmc::dve {

namespace {

constexpr u32 kFirstSlots = 1024;

u32 hash_node(const Expr& node) {
  u32 h = static_cast<u32>(node.op) * 0x85EB'CA6Bu;
  h = (h ^ node.a) * 0x9E37'79B1u;
  h ^= h >> 15;
  h = (h ^ node.b) * 0xC2B2'AE35u;
  return h ^ (h >> 16);
}

bool same(const Expr& x, const Expr& y) { return x.op == y.op && x.a == y.a && x.b == y.b; }

}  // namespace

Nodes::Nodes(Arena& arena, System& system) : arena_(&arena), system_(&system) { grow(); }

// The place of the node, or the empty place where it belongs.
u32 Nodes::slot_of(const Expr& node) const {
  const u32 mask = static_cast<u32>(slots_.size()) - 1;
  u32 at = hash_node(node) & mask;
  while (slots_[at] != 0 && !same(system_->expressions[slots_[at] - 1], node)) at = (at + 1) & mask;
  return at;
}

ExprId Nodes::make(Op op, u32 a, u32 b) {
  const Expr node{op, a, b};
  u32 at = slot_of(node);
  if (slots_[at] != 0) return slots_[at] - 1;
  if (system_->expressions.full()) {
    overflowed_ = true;
    return 0;
  }
  if (u64{system_->expressions.size() + 1} * 3 > u64{slots_.size()} * 2) {
    grow();
    at = slot_of(node);
  }
  const ExprId id = system_->expressions.push(node);
  slots_[at] = id + 1;
  return id;
}

bool Nodes::is_literal(ExprId id, i32& value) const {
  const Expr& node = system_->expressions[id];
  if (node.op != Op::literal) return false;
  value = static_cast<i32>(node.a);
  return true;
}

ExprId Nodes::unary(Op op, ExprId operand) {
  i32 value = 0;
  if (is_literal(operand, value)) return literal(fold_unary(operator_of(op), value));
  return make(op, operand, 0);
}

ExprId Nodes::binary(Op op, ExprId left, ExprId right) {
  i32 a = 0;
  i32 b = 0;
  i32 result = 0;
  bool decided = false;
  if (is_literal(left, a)) {
    if (fold_short_circuit(operator_of(op), a != 0, decided)) return literal(decided);
    if (is_literal(right, b) && fold_binary(operator_of(op), a, b, result)) return literal(result);
  }
  return make(op, left, right);
}

// The old table stays behind in the scratch: all of them together are no larger than the last.
void Nodes::grow() {
  u64 size = slots_.empty() ? kFirstSlots : slots_.size() * 2;
  while (u64{system_->expressions.size()} * 3 > size * 2) size *= 2;
  u32* memory = static_cast<u32*>(arena_->scratch("expressions", size * sizeof(u32), alignof(u32)));
  slots_ = {memory, static_cast<std::size_t>(size)};
  fill_zero(slots_);
  for (ExprId id = 0; id < system_->expressions.size(); ++id) {
    const u32 at = slot_of(system_->expressions[id]);
    if (slots_[at] == 0) slots_[at] = id + 1;
  }
}

}  // namespace xmc::dve
