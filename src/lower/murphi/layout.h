// Where values are while bodies run, made once for a text: registers of routines and their
// references. Globals are leaves of the state (columns.h).
#pragma once

#include "front/murphi/ast.h"
#include "front/murphi/lexer.h"
#include "xmc/arena.h"

namespace xmc::murphi_lower {

using murphi::ExprId;
using murphi::Op;
using murphi::Role;
using murphi::StmtId;
using murphi::StmtOp;
using murphi::TypeId;
using murphi::TypeKind;
using murphi::VariableId;

// Registers of a routine: leaves of its frame, addresses of references, and its result.
struct RoutineFrame {
  u32 parameters_end = 0;  // of values, which come first
  u32 result = 0;
  u32 fixed = 0;
};

struct Layout {
  const murphi::System& system;
  murphi::Dialect dialect;
  std::span<const RoutineFrame> frames;
  std::span<const u32> references;  // by variable: the register of its address, else kNone
  u32 asked_cells = 0;              // of a condition that is in no frame, whose leaves begin at 0

  bool rumur() const { return dialect == murphi::Dialect::rumur; }
  const murphi::Type& type(TypeId id) const { return system.types[id]; }
  const murphi::Expr& expr(ExprId id) const { return system.expressions[id]; }
  const murphi::Variable& variable(VariableId id) const { return system.variables[id]; }
  const murphi::Type& type_of(ExprId id) const { return type(expr(id).type); }
  // Undefined is a value among others there: two of them are equal.
  bool is_symbolic(const murphi::Type& t) const {
    return !rumur() && (t.kind == TypeKind::scalarset || t.kind == TypeKind::union_of);
  }
  // Registers that a variable around a rule or property takes.
  u32 cells_of(VariableId id) const {
    const u32 leaves = type(variable(id).type).leaves;
    return leaves != 0 ? leaves : 1;
  }
};

inline bool is_compound(const murphi::Type& t) {
  return t.kind == TypeKind::record || t.kind == TypeKind::array || t.kind == TypeKind::multiset;
}

Layout lay_out(const murphi::System& system, murphi::Dialect dialect, Arena& arena);

}  // namespace xmc::murphi_lower
