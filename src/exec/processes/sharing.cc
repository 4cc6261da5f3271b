#include "exec/processes/sharing.h"

#include "xmc/bytes.h"

namespace xmc {

namespace {
constexpr u32 kSharedNodes = 6;
}

std::span<u8> find_shared(const ir::Program& p, Arena& arena) {
  const std::size_t count = p.exprs.size();
  std::span<u8> shared(static_cast<u8*>(arena.scratch("sharing", count, 1)), count);
  const u64 mark = arena.scratch_mark();
  u32* uses = static_cast<u32*>(arena.scratch("sharing", count * sizeof(u32), alignof(u32)));
  u32* nodes = static_cast<u32*>(arena.scratch("sharing", count * sizeof(u32), alignof(u32)));
  fill_zero(std::span<u32>(uses, count));
  const auto use = [&](ir::ExprId id) {
    if (id != kNone) ++uses[id];
  };
  for (const ir::Transition& t : p.transitions) use(t.guard);
  for (const ir::Assignment& a : p.assignments) {
    use(a.value);
    use(a.target.index);
  }
  for (const ir::ExprId e : p.sent) use(e);
  for (const ir::Target& t : p.received) use(t.index);
  for (const ir::Predicate& q : p.predicates) use(q.condition);
  for (const ir::Expr& e : p.exprs) {
    if (ir::is_unary(e.op) || ir::is_binary(e.op)) use(e.a);
    if (ir::is_binary(e.op) || ir::has_index(e.op)) use(e.b);
  }
  // A shared operand counts as one node: its code is a call.
  for (u32 i = 0; i < count; ++i) {
    const ir::Expr& e = p.exprs[i];
    u32 size = 1;
    if (ir::is_unary(e.op) || ir::is_binary(e.op)) size += nodes[e.a];
    if (ir::is_binary(e.op) || ir::has_index(e.op)) size += nodes[e.b];
    shared[i] = uses[i] >= 2 && size >= kSharedNodes ? 1 : 0;
    nodes[i] = shared[i] != 0 ? 1 : size;
  }
  arena.scratch_release(mark);
  return shared;
}

}  // namespace xmc
