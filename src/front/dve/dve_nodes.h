// Makes expression nodes: equal ones are made once, and operations on literals are computed where
// no run-time error could be lost by it. Nothing is re-associated: x + 1 + 1 stays two additions,
// as its text says.
#pragma once

#include <span>

#include "front/dve/dve_ast.h"
#include "xmc/arena.h"
#include "xmc/types.h"

namespace xmc::dve {

class Nodes {
 public:
  // Shares also the nodes that `system` already has.
  Nodes(Arena& arena, System& system);

  ExprId literal(i32 value) { return make(Op::literal, static_cast<u32>(value), 0); }
  ExprId unary(Op op, ExprId operand);
  ExprId binary(Op op, ExprId left, ExprId right);
  ExprId make(Op op, u32 a, u32 b);

  bool is_literal(ExprId id, i32& value) const;
  // The pool of nodes ran full; the nodes returned since are arbitrary.
  bool overflowed() const { return overflowed_; }

 private:
  u32 slot_of(const Expr& node) const;
  void grow();

  Arena* arena_;
  System* system_;
  std::span<u32> slots_;  // 0 for empty, else id + 1; the size is a power of two
  bool overflowed_ = false;
};

}  // namespace xmc::dve
