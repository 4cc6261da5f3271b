// Operators on two numbers by name, for all who walk a tree or a body: folding, the judge, tables,
// the machine of rules.
#pragma once

#include "xmc/arith.h"
#include "xmc/arith64.h"
#include "xmc/check.h"
#include "xmc/operators.h"

namespace xmc {

namespace arith {

// False: a division by zero, and `out` stays as it is.
inline bool apply(Operator op, i32 a, i32 b, i32& out) {
  switch (op) {
    case Operator::multiply:
      out = multiply(a, b);
      break;
    case Operator::divide:
      if (b != 0) out = divide(a, b);
      return b != 0;
    case Operator::modulo:
      if (b != 0) out = modulo(a, b);
      return b != 0;
    case Operator::add:
      out = add(a, b);
      break;
    case Operator::subtract:
      out = subtract(a, b);
      break;
    case Operator::shift_left:
      out = shift_left(a, b);
      break;
    case Operator::shift_right:
      out = shift_right(a, b);
      break;
    case Operator::less:
      out = a < b ? 1 : 0;
      break;
    case Operator::less_equal:
      out = a <= b ? 1 : 0;
      break;
    case Operator::greater:
      out = a > b ? 1 : 0;
      break;
    case Operator::greater_equal:
      out = a >= b ? 1 : 0;
      break;
    case Operator::equal:
      out = a == b ? 1 : 0;
      break;
    case Operator::not_equal:
      out = a != b ? 1 : 0;
      break;
    case Operator::bit_and:
      out = a & b;
      break;
    case Operator::bit_xor:
      out = a ^ b;
      break;
    default:
      XMC_CHECK(op == Operator::bit_or);
      out = a | b;
      break;
  }
  return true;
}

template <class Op>
bool apply(Op op, i32 a, i32 b, i32& out) {
  return apply(operator_of(op), a, b, out);
}

}  // namespace arith

namespace arith64 {

// False: a division by zero, or an overflow.
inline bool apply(Operator op, i64 a, i64 b, i64& result) {
  switch (op) {
    case Operator::multiply:
      return multiply(a, b, result);
    case Operator::divide:
      return divide(a, b, result);
    case Operator::modulo:
      return modulo(a, b, result);
    case Operator::add:
      return add(a, b, result);
    case Operator::subtract:
      return subtract(a, b, result);
    case Operator::shift_left:
      return shift_left(a, b, result);
    case Operator::shift_right:
      return shift_right(a, b, result);
    case Operator::less:
      result = a < b;
      return true;
    case Operator::less_equal:
      result = a <= b;
      return true;
    case Operator::greater:
      result = a > b;
      return true;
    case Operator::greater_equal:
      result = a >= b;
      return true;
    case Operator::equal:
      result = a == b;
      return true;
    case Operator::not_equal:
      result = a != b;
      return true;
    case Operator::bit_and:
      return bit_and(a, b, result);
    case Operator::bit_xor:
      return bit_xor(a, b, result);
    case Operator::bit_or:
      return bit_or(a, b, result);
    default:
      return false;
  }
}

}  // namespace arith64

}  // namespace xmc
