// Expressions of the DVE tree to IR expressions: variables that never change are folded into
// constants and tables, and constant operations into their results (never one that would hide a
// run-time error).
#pragma once

#include "front/dve/dve_ast.h"
#include "ir/ir.h"
#include "xmc/pool.h"
#include "xmc/status.h"

namespace xmc {

// What a DVE variable became.
struct VariableMap {
  enum class Kind : u8 { variable, constant_scalar, table, dropped } kind = Kind::variable;
  u32 index = 0;  // IR variable or table
  i32 value = 0;  // of a constant scalar
};

class ExprLowering {
 public:
  ExprLowering(const dve::System& system, std::span<const VariableMap> variables,
               std::span<const u32> processes, Arena& arena);

  // Marks an expression as used; convert() then makes what is marked, in addition to what it made
  // before.
  void need(dve::ExprId id);
  Status convert();
  u32 size() const { return exprs_.size(); }
  // By DVE expression; kNone: not used.
  std::span<const u32> map() const { return map_; }
  ir::ExprId constant(i32 value) {
    return push({.op = ir::Op::constant, .a = static_cast<u32>(value)});
  }
  ir::ExprId get(dve::ExprId id) const { return id == kNone ? kNone : map_[id]; }
  // Copies the result to permanent memory.
  std::span<ir::Expr> finish(Arena& arena);

 private:
  ir::ExprId push(ir::Expr expr);
  Result<ir::ExprId> convert_one(const dve::Expr& expr);
  ir::ExprId unary(dve::Op op, ir::ExprId a);
  ir::ExprId binary(dve::Op op, ir::ExprId a, ir::ExprId b);
  ir::ExprId indexed(u32 variable, ir::ExprId index);
  ir::ExprId truth(ir::ExprId a);
  bool is_constant(ir::ExprId id, i32& value) const;

  const dve::System& system_;
  std::span<const VariableMap> variables_;
  std::span<const u32> processes_;
  std::span<u32> map_;  // by DVE expression; kNone: not used, kNeeded: marked
  Pool<ir::Expr, 10> exprs_;
  bool too_deep_ = false;
};

}  // namespace xmc
