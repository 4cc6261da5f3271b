// The arithmetic of DVE on known values: 32-bit two's complement, whatever the types of the
// operands.
//
//   - sums, differences, products and negation wrap;
//   - division truncates toward zero, the remainder has the dividend's sign; by zero there is none;
//     INT_MIN / -1 wraps to INT_MIN, and INT_MIN % -1 is 0;
//   - shift counts are taken modulo 32, so that every count means something; >> keeps the sign;
//   - comparisons and logical operators give 0 or 1, and any value but 0 counts as true.
#pragma once

#include "front/dve/dve_ast.h"
#include "xmc/types.h"

namespace xmc::dve {

i32 fold_unary(Op op, i32 value);

// False when the operation has no value: division or remainder by zero.
bool fold_binary(Op op, i32 left, i32 right, i32& result);

// True when `left` alone decides a short-circuit operator; the right side is not evaluated then.
bool fold_short_circuit(Op op, i32 left, i32& result);

}  // namespace xmc::dve
