#include "front/fold.h"

#include "xmc/binary_operation.h"

namespace xmc {

namespace {

bool fold_logical(Operator op, bool left, bool right) {
  bool result = false;
  return fold_short_circuit(op, left, result) ? result : right;
}

}  // namespace

i32 fold_unary(Operator op, i32 value) {
  if (op == Operator::negate) return arith::negate(value);
  if (op == Operator::bit_not) return ~value;
  XMC_CHECK(op == Operator::logical_not);
  return value == 0;
}

bool fold_unary(Operator op, i64 value, i64& result) {
  if (op == Operator::negate) return arith64::subtract(0, value, result);
  if (op == Operator::bit_not) return arith64::bit_not(value, result);
  XMC_CHECK(op == Operator::logical_not);
  result = value == 0;
  return true;
}

bool fold_binary(Operator op, i32 left, i32 right, i32& result) {
  if (!is_logical(op)) return arith::apply(op, left, right, result);
  result = fold_logical(op, left != 0, right != 0);
  return true;
}

bool fold_binary(Operator op, i64 left, i64 right, i64& result) {
  if (!is_logical(op)) return arith64::apply(op, left, right, result);
  result = fold_logical(op, left != 0, right != 0);
  return true;
}

bool fold_short_circuit(Operator op, bool left, bool& result) {
  result = op != Operator::logical_and;
  switch (op) {
    case Operator::logical_and:
    case Operator::imply:
      return !left;
    case Operator::logical_or:
      return left;
    default:
      return false;
  }
}

}  // namespace xmc
