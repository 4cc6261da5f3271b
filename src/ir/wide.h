// An action's operation on two values (xmc/arith64.h), for executions that have it as a number.
#pragma once

#include "ir/body.h"
#include "xmc/arith64.h"

namespace xmc::ir {

// False: a division by zero, or an overflow.
inline bool wide_binary(BodyOp op, i64 a, i64 b, i64& result) {
  switch (op) {
    case BodyOp::multiply:
      return arith64::multiply(a, b, result);
    case BodyOp::divide:
      return arith64::divide(a, b, result);
    case BodyOp::modulo:
      return arith64::modulo(a, b, result);
    case BodyOp::add:
      return arith64::add(a, b, result);
    case BodyOp::subtract:
      return arith64::subtract(a, b, result);
    case BodyOp::shift_left:
      return arith64::shift_left(a, b, result);
    case BodyOp::shift_right:
      return arith64::shift_right(a, b, result);
    case BodyOp::less:
      result = a < b;
      return true;
    case BodyOp::less_equal:
      result = a <= b;
      return true;
    case BodyOp::greater:
      result = a > b;
      return true;
    case BodyOp::greater_equal:
      result = a >= b;
      return true;
    case BodyOp::equal:
      result = a == b;
      return true;
    case BodyOp::not_equal:
      result = a != b;
      return true;
    case BodyOp::bit_and:
      return arith64::bit_and(a, b, result);
    case BodyOp::bit_xor:
      return arith64::bit_xor(a, b, result);
    case BodyOp::bit_or:
      return arith64::bit_or(a, b, result);
    default:
      return false;
  }
}

}  // namespace xmc::ir
