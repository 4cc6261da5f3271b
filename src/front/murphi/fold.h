// The arithmetic of Murphi on known values: 64-bit two's complement with checks. An operation that
// has no value (a division by zero, an overflow) stays in the tree and is a run-time error where it
// is reached; only where a constant is needed it is an error of the text.
#pragma once

#include "front/murphi/ast.h"
#include "xmc/types.h"

namespace xmc::murphi {

// False when the operation has no value.
bool fold_unary(Op op, i64 value, i64& result);
bool fold_binary(Op op, i64 left, i64 right, i64& result);

// True when `left` alone decides a short-circuit operator; the right side is not evaluated then.
bool fold_short_circuit(Op op, i64 left, i64& result);

// As rumur has it: a negative count shifts the other way, and what is shifted out is gone.
i64 shift_left(i64 value, i64 count);
i64 shift_right(i64 value, i64 count);

}  // namespace xmc::murphi
