// Binary operators of expressions by name, for all who walk a tree: folding, the judge, tables. The
// languages and the program spell them alike, each in an enum of its own.
#pragma once

#include "xmc/arith.h"
#include "xmc/check.h"

namespace xmc::arith {

// False: a division by zero, and `out` stays as it is.
template <class Op>
bool apply(Op op, i32 a, i32 b, i32& out) {
  switch (op) {
    case Op::multiply:
      out = multiply(a, b);
      break;
    case Op::divide:
      if (b != 0) out = divide(a, b);
      return b != 0;
    case Op::modulo:
      if (b != 0) out = modulo(a, b);
      return b != 0;
    case Op::add:
      out = add(a, b);
      break;
    case Op::subtract:
      out = subtract(a, b);
      break;
    case Op::shift_left:
      out = shift_left(a, b);
      break;
    case Op::shift_right:
      out = shift_right(a, b);
      break;
    case Op::less:
      out = a < b ? 1 : 0;
      break;
    case Op::less_equal:
      out = a <= b ? 1 : 0;
      break;
    case Op::greater:
      out = a > b ? 1 : 0;
      break;
    case Op::greater_equal:
      out = a >= b ? 1 : 0;
      break;
    case Op::equal:
      out = a == b ? 1 : 0;
      break;
    case Op::not_equal:
      out = a != b ? 1 : 0;
      break;
    case Op::bit_and:
      out = a & b;
      break;
    case Op::bit_xor:
      out = a ^ b;
      break;
    default:
      XMC_CHECK(op == Op::bit_or);
      out = a | b;
      break;
  }
  return true;
}

}  // namespace xmc::arith
