#include "lower/dve/dve_exprs.h"

#include <algorithm>

#include "front/fold.h"
#include "xmc/limits.h"

namespace xmc {

namespace {

constexpr u32 kNeeded = kNone - 1;

bool has_operands(dve::Op op) { return op > dve::Op::in_state; }

Status left_out(std::string_view name) {
  return Status::fail(Code::model,
                      "'%.*s' belongs to a property process that this check leaves out",
                      static_cast<int>(name.size()), name.data());
}

}  // namespace

ExprLowering::ExprLowering(const dve::System& system, std::span<const VariableMap> variables,
                           std::span<const u32> processes, Arena& arena)
    : system_(system), variables_(variables), processes_(processes), exprs_(arena, "expressions") {
  const u32 count = system.expressions.size();
  map_ = {static_cast<u32*>(arena.scratch("expressions", count * sizeof(u32), alignof(u32))),
          count};
  std::fill(map_.begin(), map_.end(), kNone);
}

void ExprLowering::need(dve::ExprId id) {
  if (id != kNone && map_[id] == kNone) map_[id] = kNeeded;
}

Status ExprLowering::convert() {
  // Operands come before their users: marking runs backwards, conversion forwards.
  for (u32 i = static_cast<u32>(map_.size()); i-- > 0;) {
    if (map_[i] != kNeeded) continue;
    const dve::Expr& e = system_.expressions[i];
    if (e.op == dve::Op::element) need(e.b);
    if (has_operands(e.op)) need(e.a);
    if (has_operands(e.op) && !is_unary(e.op)) need(e.b);
  }
  for (u32 i = 0; i < map_.size(); ++i) {
    if (map_[i] != kNeeded) continue;
    XMC_LET(ir::ExprId converted, convert_one(system_.expressions[i]));
    map_[i] = converted;
  }
  if (too_deep_) {
    return Status::fail(
        Code::model,
        "an expression is higher than %u operators (limit kTreeDepth); split it into several "
        "transitions or variables",
        limits::kTreeDepth);
  }
  return {};
}

std::span<ir::Expr> ExprLowering::finish(Arena& arena) {
  const std::span<ir::Expr> out = arena.carve_array<ir::Expr>("expressions", exprs_.size());
  for (u32 i = 0; i < exprs_.size(); ++i) out[i] = exprs_[i];
  return out;
}

ir::ExprId ExprLowering::push(ir::Expr expr) {
  u32 depth = 0;
  if (ir::is_unary(expr.op) || ir::is_binary(expr.op)) depth = exprs_[expr.a].depth + 1u;
  if (ir::is_binary(expr.op) || ir::has_index(expr.op))
    depth = std::max(depth, exprs_[expr.b].depth + 1u);
  if (depth > limits::kTreeDepth) {
    too_deep_ = true;
    depth = 0;
  }
  expr.depth = static_cast<u16>(depth);
  return exprs_.push(expr);
}

bool ExprLowering::is_constant(ir::ExprId id, i32& value) const {
  if (exprs_[id].op != ir::Op::constant) return false;
  value = static_cast<i32>(exprs_[id].a);
  return true;
}

Result<ir::ExprId> ExprLowering::convert_one(const dve::Expr& e) {
  switch (e.op) {
    case dve::Op::literal:
      return constant(static_cast<i32>(e.a));
    case dve::Op::variable:
    case dve::Op::element:
      if (variables_[e.a].kind == VariableMap::Kind::dropped)
        return left_out(system_.variables[e.a].name);
      return indexed(e.a, e.op == dve::Op::element ? map_[e.b] : constant(0));
    case dve::Op::in_state:
      if (processes_[e.a] == kNone) return left_out(system_.processes[e.a].name);
      return push({.op = ir::Op::at, .a = processes_[e.a], .b = e.b});
    default:
      break;
  }
  if (is_unary(e.op)) return unary(e.op, map_[e.a]);
  return binary(e.op, map_[e.a], map_[e.b]);
}

ir::ExprId ExprLowering::unary(dve::Op op, ir::ExprId a) {
  i32 value = 0;
  if (is_constant(a, value)) return constant(fold_unary(operator_of(op), value));
  return push({.op = same_operator<ir::Op>(op), .a = a});
}

ir::ExprId ExprLowering::truth(ir::ExprId a) {
  const ir::Op op = exprs_[a].op;
  if (op == ir::Op::at || op == ir::Op::logical_not || ir::is_comparison(op) || ir::is_logical(op))
    return a;
  return binary(dve::Op::not_equal, a, constant(0));
}

ir::ExprId ExprLowering::binary(dve::Op op, ir::ExprId a, ir::ExprId b) {
  i32 left = 0;
  i32 right = 0;
  i32 result = 0;
  if (is_constant(a, left)) {
    const Operator what = operator_of(op);
    bool decided = false;
    if (is_constant(b, right) && fold_binary(what, left, right, result)) return constant(result);
    if (fold_short_circuit(what, left != 0, decided)) return constant(decided);
    if (is_logical(what)) return truth(b);
  }
  return push({.op = same_operator<ir::Op>(op), .a = a, .b = b});
}

ir::ExprId ExprLowering::indexed(u32 variable, ir::ExprId index) {
  const VariableMap& v = variables_[variable];
  const dve::Variable& declared = system_.variables[variable];
  i32 known = 0;
  const bool inside =
      is_constant(index, known) && known >= 0 && static_cast<u32>(known) < declared.size;
  switch (v.kind) {
    case VariableMap::Kind::constant_scalar:
      if (inside) return constant(v.value);
      break;
    case VariableMap::Kind::table:
      if (inside) return constant(system_.values[declared.first_value + static_cast<u32>(known)]);
      return push({.op = ir::Op::table, .a = v.index, .b = index});
    default:
      if (inside) return push({.op = ir::Op::load, .a = v.index, .b = static_cast<u32>(known)});
      break;
  }
  XMC_CHECK(v.kind == VariableMap::Kind::variable);
  return push({.op = ir::Op::element, .a = v.index, .b = index});
}

}  // namespace xmc
