// Operators on known values, for the parsers of all languages.
//
// Values of DVE and Promela have 32 bits and wrap, whatever the types of the operands
// (xmc/arith.h). Those of Murphi have 64 bits with checks (xmc/arith64.h): what has no value, a
// division by zero or an overflow, stays in the tree and is a run-time error where it is reached;
// only where a constant is needed it is an error of the text. Comparisons and logical operators
// give 0 or 1, and any value but 0 counts as true.
#pragma once

#include "xmc/operators.h"

namespace xmc {

i32 fold_unary(Operator op, i32 value);
// False when the operation has no value.
bool fold_unary(Operator op, i64 value, i64& result);
bool fold_binary(Operator op, i32 left, i32 right, i32& result);
bool fold_binary(Operator op, i64 left, i64 right, i64& result);

// True when `left` alone decides a short-circuit operator; the right side is not evaluated then.
bool fold_short_circuit(Operator op, bool left, bool& result);

}  // namespace xmc
