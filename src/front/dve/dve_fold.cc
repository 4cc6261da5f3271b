#include "front/dve/dve_fold.h"

#include "xmc/binary_operation.h"

namespace xmc::dve {

i32 fold_unary(Op op, i32 value) {
  if (op == Op::negate) return arith::negate(value);
  if (op == Op::bit_not) return ~value;
  XMC_CHECK(op == Op::logical_not);
  return value == 0;
}

bool fold_binary(Op op, i32 left, i32 right, i32& result) {
  switch (op) {
    case Op::logical_and:
      result = left != 0 && right != 0;
      return true;
    case Op::logical_or:
      result = left != 0 || right != 0;
      return true;
    case Op::imply:
      result = left == 0 || right != 0;
      return true;
    default:
      return arith::apply(op, left, right, result);
  }
}

bool fold_short_circuit(Op op, i32 left, i32& result) {
  result = op != Op::logical_and;
  switch (op) {
    case Op::logical_and:
      return left == 0;
    case Op::logical_or:
      return left != 0;
    case Op::imply:
      return left == 0;
    default:
      return false;
  }
}

}  // namespace xmc::dve
