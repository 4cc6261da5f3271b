#include "front/dve/dve_fold.h"

#include "xmc/check.h"

namespace xmc::dve {

namespace {

i32 wrap(u32 bits) { return static_cast<i32>(bits); }

}  // namespace

i32 fold_unary(Op op, i32 value) {
  switch (op) {
    case Op::negate:
      return wrap(0u - static_cast<u32>(value));
    case Op::bit_not:
      return ~value;
    default:
      XMC_CHECK(op == Op::logical_not);
      return value == 0;
  }
}

bool fold_binary(Op op, i32 left, i32 right, i32& result) {
  const u32 a = static_cast<u32>(left);
  const u32 b = static_cast<u32>(right);
  switch (op) {
    case Op::multiply:
      result = wrap(a * b);
      return true;
    case Op::divide:
      if (right == 0) return false;
      result = right == -1 ? wrap(0u - a) : left / right;
      return true;
    case Op::modulo:
      if (right == 0) return false;
      result = right == -1 ? 0 : left % right;
      return true;
    case Op::add:
      result = wrap(a + b);
      return true;
    case Op::subtract:
      result = wrap(a - b);
      return true;
    case Op::shift_left:
      result = wrap(a << (b & 31));
      return true;
    case Op::shift_right:
      result = left >> (b & 31);
      return true;
    case Op::less:
      result = left < right;
      return true;
    case Op::less_equal:
      result = left <= right;
      return true;
    case Op::greater:
      result = left > right;
      return true;
    case Op::greater_equal:
      result = left >= right;
      return true;
    case Op::equal:
      result = left == right;
      return true;
    case Op::not_equal:
      result = left != right;
      return true;
    case Op::bit_and:
      result = left & right;
      return true;
    case Op::bit_xor:
      result = left ^ right;
      return true;
    case Op::bit_or:
      result = left | right;
      return true;
    case Op::logical_and:
      result = left != 0 && right != 0;
      return true;
    case Op::logical_or:
      result = left != 0 || right != 0;
      return true;
    default:
      XMC_CHECK(op == Op::imply);
      result = left == 0 || right != 0;
      return true;
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
