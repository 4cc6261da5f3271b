// The arithmetic of bodies: 64 bits, and an overflow is an error of the model. One definition for
// the machine, the judge and emitted code, so that no two of them can disagree. The value that
// stands for undefined is never a result. Every function but those for shifts gives false where
// there is none.
#pragma once

#include "xmc/types.h"

namespace xmc {

inline constexpr i64 kUndefined = -9223372036854775807 - 1;

namespace arith64 {

inline constexpr i64 kBits = 64;

// The lowest bits of a value, 1..64 of them, as a signed number or not.
inline i64 cut(i64 value, u32 bits, bool is_signed) {
  const u64 high = static_cast<u64>(value) << (64 - bits);
  return is_signed ? static_cast<i64>(high) >> (64 - bits) : static_cast<i64>(high >> (64 - bits));
}

// Without the compiler's own check: for 64 bits on 32-bit targets, clang calls a function for it
// that GCC's library does not have.
inline bool multiply(i64 a, i64 b, i64& result) {
  result = static_cast<i64>(static_cast<u64>(a) * static_cast<u64>(b));
  const bool small = a == static_cast<i32>(a) && b == static_cast<i32>(b);
  if (!small && b != 0 && b != -1 && result / b != a) return false;
  return result != kUndefined;
}
inline bool divide(i64 a, i64 b, i64& result) {
  if (b == 0) return false;
  result = a / b;
  return true;
}
inline bool modulo(i64 a, i64 b, i64& result) {
  if (b == 0) return false;
  result = b == -1 ? 0 : a % b;
  return true;
}
inline bool add(i64 a, i64 b, i64& result) {
  return !__builtin_add_overflow(a, b, &result) && result != kUndefined;
}
inline bool subtract(i64 a, i64 b, i64& result) {
  return !__builtin_sub_overflow(a, b, &result) && result != kUndefined;
}

inline i64 right(i64 value, i64 count) {
  if (count >= kBits) return value < 0 ? -1 : 0;
  return value >> count;
}
inline i64 left(i64 value, i64 count) {
  return count >= kBits ? 0 : static_cast<i64>(static_cast<u64>(value) << count);
}
inline i64 turned(i64 count) { return count <= -kBits ? kBits : -count; }
// A negative count shifts the other way.
inline bool shift_left(i64 value, i64 count, i64& result) {
  result = count >= 0 ? left(value, count) : right(value, turned(count));
  return result != kUndefined;
}
inline bool shift_right(i64 value, i64 count, i64& result) {
  result = count >= 0 ? right(value, count) : left(value, turned(count));
  return result != kUndefined;
}

inline bool bit_and(i64 a, i64 b, i64& result) {
  result = a & b;
  return result != kUndefined;
}
inline bool bit_xor(i64 a, i64 b, i64& result) {
  result = a ^ b;
  return result != kUndefined;
}
inline bool bit_or(i64 a, i64 b, i64& result) {
  result = a | b;
  return result != kUndefined;
}
inline bool bit_not(i64 a, i64& result) {
  result = ~a;
  return result != kUndefined;
}

}  // namespace arith64

}  // namespace xmc
