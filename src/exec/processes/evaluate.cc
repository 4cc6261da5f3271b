#include "exec/processes/evaluate.h"

#include "xmc/binary_operation.h"

namespace xmc {

using ir::Op;

i32 Evaluator::operator()(ir::ExprId id) {
  const ir::Expr& e = p_.exprs[id];
  if (failed()) return 0;
  switch (e.op) {
    case Op::constant:
      return static_cast<i32>(e.a);
    case Op::load: {
      const i32 value = cells_[p_.variables[e.a].first_initial + e.b];
      if (reads_ != nullptr) withheld_ = !reads_->variable(e.a, e.b, value);
      return value;
    }
    case Op::element:
      return indexed(id, cells_.subspan(p_.variables[e.a].first_initial, p_.variables[e.a].size));
    case Op::table:
      return indexed(id, p_.tables[e.a].values);
    case Op::at:
      return located(e);
    case Op::negate:
      return arith::negate((*this)(e.a));
    case Op::bit_not:
      return ~(*this)(e.a);
    case Op::logical_not:
      return (*this)(e.a) == 0 ? 1 : 0;
    case Op::logical_and:
      return (*this)(e.a) != 0 && (*this)(e.b) != 0 ? 1 : 0;
    case Op::logical_or:
      return (*this)(e.a) != 0 || (*this)(e.b) != 0 ? 1 : 0;
    case Op::imply:
      return (*this)(e.a) == 0 || (*this)(e.b) != 0 ? 1 : 0;
    default:
      break;
  }
  const i32 a = (*this)(e.a);
  return binary(id, a, (*this)(e.b));
}

i32 Evaluator::indexed(ir::ExprId id, std::span<const i32> values) {
  const ir::Expr& e = p_.exprs[id];
  const i32 i = (*this)(e.b);
  if (failed()) return 0;
  if (i < 0 || static_cast<u32>(i) >= values.size()) {
    failed_expr_ = id;
    failed_index_ = i;
    return 0;
  }
  const i32 value = values[static_cast<u32>(i)];
  if (reads_ != nullptr && e.op == Op::element) {
    withheld_ = !reads_->variable(e.a, static_cast<u32>(i), value);
  } else if (reads_ != nullptr) {
    reads_->table(e.a, static_cast<u32>(i), value);
  }
  return value;
}

i32 Evaluator::located(const ir::Expr& e) {
  const i32 location = cells_[p_.variables[p_.processes[e.a].location].first_initial];
  if (reads_ != nullptr) withheld_ = !reads_->location(e.a, static_cast<u32>(location));
  return location == static_cast<i32>(e.b) ? 1 : 0;
}

i32 Evaluator::binary(ir::ExprId id, i32 a, i32 b) {
  i32 value = 0;
  if (!failed() && !arith::apply(p_.exprs[id].op, a, b, value)) failed_expr_ = id;
  return value;
}

}  // namespace xmc
