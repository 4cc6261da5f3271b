#include "front/murphi/fold.h"

#include "xmc/check.h"

namespace xmc::murphi {

namespace {

constexpr i64 kLowest = -9223372036854775807 - 1;
constexpr i64 kBits = 64;

bool divide(Op op, i64 left, i64 right, i64& result) {
  if (right == 0) return false;
  if (right == -1) {
    if (op == Op::divide && left == kLowest) return false;
    result = op == Op::divide ? -left : 0;
    return true;
  }
  result = op == Op::divide ? left / right : left % right;
  return true;
}

// Without the compiler's own check: for 64 bits on 32-bit targets, clang calls a function for it
// that GCC's library does not have.
bool multiply(i64 left, i64 right, i64& result) {
  result = static_cast<i64>(static_cast<u64>(left) * static_cast<u64>(right));
  if (right == 0) return true;
  if (right == -1) return left != kLowest;
  return result / right == left;
}

bool compare(Op op, i64 left, i64 right) {
  switch (op) {
    case Op::less:
      return left < right;
    case Op::less_equal:
      return left <= right;
    case Op::greater:
      return left > right;
    case Op::greater_equal:
      return left >= right;
    case Op::equal:
      return left == right;
    default:
      XMC_CHECK(op == Op::not_equal);
      return left != right;
  }
}

}  // namespace

i64 shift_left(i64 value, i64 count) {
  if (count < 0) return count <= -kBits ? shift_right(value, kBits) : shift_right(value, -count);
  return count >= kBits ? 0 : static_cast<i64>(static_cast<u64>(value) << count);
}

i64 shift_right(i64 value, i64 count) {
  if (count < 0) return count <= -kBits ? 0 : shift_left(value, -count);
  if (count >= kBits) return value < 0 ? -1 : 0;
  return value >> count;
}

bool fold_unary(Op op, i64 value, i64& result) {
  switch (op) {
    case Op::negate:
      if (value == kLowest) return false;
      result = -value;
      return true;
    case Op::bit_not:
      result = ~value;
      return true;
    default:
      XMC_CHECK(op == Op::logical_not);
      result = value == 0;
      return true;
  }
}

bool fold_binary(Op op, i64 left, i64 right, i64& result) {
  switch (op) {
    case Op::multiply:
      return multiply(left, right, result);
    case Op::add:
      return !__builtin_add_overflow(left, right, &result);
    case Op::subtract:
      return !__builtin_sub_overflow(left, right, &result);
    case Op::divide:
    case Op::modulo:
      return divide(op, left, right, result);
    case Op::shift_left:
      result = shift_left(left, right);
      return true;
    case Op::shift_right:
      result = shift_right(left, right);
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
    case Op::imply:
      result = left == 0 || right != 0;
      return true;
    default:
      result = compare(op, left, right);
      return true;
  }
}

bool fold_short_circuit(Op op, i64 left, i64& result) {
  result = op != Op::logical_and;
  switch (op) {
    case Op::logical_and:
    case Op::imply:
      return left == 0;
    case Op::logical_or:
      return left != 0;
    default:
      return false;
  }
}

}  // namespace xmc::murphi
