// Expressions as C++ text. `state` names the State variable that is read; a boolean `fail` is in
// scope wherever an expression can fail. Large shared expressions are functions e<id>(s, fail).
#pragma once

#include "exec/emit/emit_writer.h"
#include "ir/ir.h"
#include "xmc/arena.h"

namespace xmc {

class ExprEmitter {
 public:
  ExprEmitter(const ir::Program& program, EmitWriter& out, Arena& arena);

  void tables();
  void shared_functions();
  void value(ir::ExprId id, const char* state);  // an i32
  void truth(ir::ExprId id, const char* state);  // a bool
  bool may_fail(ir::ExprId id) const { return id != kNone && p_.exprs[id].may_fail; }
  void field(const Slot& slot, const char* state);  // its value, offset included

 private:
  void value_inline(ir::ExprId id, const char* state);
  void truth_inline(ir::ExprId id, const char* state);
  void arithmetic(const ir::Expr& e, const char* state);
  void element(const ir::Expr& e, const char* state);
  bool is_boolean(ir::Op op) const;

  const ir::Program& p_;
  EmitWriter& out_;
  std::span<u8> shared_;
};

}  // namespace xmc
