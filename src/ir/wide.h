// The arithmetic of bodies: 64 bits, and an overflow is an error of the model. One definition for
// all executions. The value that stands for undefined is never a result.
#pragma once

#include "ir/body.h"

namespace xmc::ir {

inline constexpr i64 kWideBits = 64;

// Without the compiler's own check: for 64 bits on 32-bit targets, clang calls a function for it
// that GCC's library does not have.
inline bool wide_multiply(i64 a, i64 b, i64& result) {
  result = static_cast<i64>(static_cast<u64>(a) * static_cast<u64>(b));
  if (a == static_cast<i32>(a) && b == static_cast<i32>(b)) return true;
  if (b == 0 || b == -1) return true;
  return result / b == a;
}

inline i64 wide_right(i64 value, i64 count) {
  if (count >= kWideBits) return value < 0 ? -1 : 0;
  return value >> count;
}

inline i64 wide_left(i64 value, i64 count) {
  return count >= kWideBits ? 0 : static_cast<i64>(static_cast<u64>(value) << count);
}

// A negative count shifts the other way.
inline i64 wide_shift(BodyOp op, i64 value, i64 count) {
  const bool left = (op == BodyOp::shift_left) == (count >= 0);
  const i64 by = count >= 0 ? count : count <= -kWideBits ? kWideBits : -count;
  return left ? wide_left(value, by) : wide_right(value, by);
}

// False: a division by zero, or an overflow.
inline bool wide_binary(BodyOp op, i64 a, i64 b, i64& result) {
  bool fine = true;
  switch (op) {
    case BodyOp::multiply:
      fine = wide_multiply(a, b, result);
      break;
    case BodyOp::divide:
      if (b == 0) return false;
      result = a / b;
      return true;
    case BodyOp::modulo:
      if (b == 0) return false;
      result = b == -1 ? 0 : a % b;
      return true;
    case BodyOp::add:
      fine = !__builtin_add_overflow(a, b, &result);
      break;
    case BodyOp::subtract:
      fine = !__builtin_sub_overflow(a, b, &result);
      break;
    case BodyOp::shift_left:
    case BodyOp::shift_right:
      result = wide_shift(op, a, b);
      break;
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
      result = a & b;
      break;
    case BodyOp::bit_xor:
      result = a ^ b;
      break;
    case BodyOp::bit_or:
      result = a | b;
      break;
    default:
      return false;
  }
  return fine && result != kUndefined;
}

}  // namespace xmc::ir
