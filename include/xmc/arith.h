// The arithmetic of models: 32-bit signed values that wrap. One definition for constant folding,
// the bytecode machine, the interpreter and emitted code, so that no two of them can disagree.
// Division and modulo by zero are the caller's to catch; shift counts are taken modulo 32.
#pragma once

#include "xmc/types.h"

namespace xmc::arith {

inline constexpr i32 kLowest = -2147483647 - 1;

inline constexpr i32 wrap(u32 bits) { return static_cast<i32>(bits); }
inline constexpr u32 bits(i32 value) { return static_cast<u32>(value); }

inline constexpr i32 add(i32 a, i32 b) { return wrap(bits(a) + bits(b)); }
inline constexpr i32 subtract(i32 a, i32 b) { return wrap(bits(a) - bits(b)); }
inline constexpr i32 multiply(i32 a, i32 b) { return wrap(bits(a) * bits(b)); }
inline constexpr i32 negate(i32 a) { return wrap(0u - bits(a)); }
// b != 0
inline constexpr i32 divide(i32 a, i32 b) { return a == kLowest && b == -1 ? a : a / b; }
inline constexpr i32 modulo(i32 a, i32 b) { return b == -1 ? 0 : a % b; }
inline constexpr i32 shift_left(i32 a, i32 b) { return wrap(bits(a) << (bits(b) & 31)); }
inline constexpr i32 shift_right(i32 a, i32 b) { return a >> (bits(b) & 31); }

// What a typed channel does to a value: keep the low bits of the type.
inline constexpr i32 to_byte(i32 a) { return static_cast<i32>(static_cast<u8>(bits(a))); }
inline constexpr i32 to_int(i32 a) { return static_cast<i32>(static_cast<i16>(bits(a))); }

}  // namespace xmc::arith
