// The operators of Murphi by how tightly they bind: one table for both dialects, since rumur's
// finer levels give the same trees for everything that CMurphi has.
#pragma once

#include "front/murphi/ast.h"
#include "front/murphi/lexer.h"

namespace xmc::murphi {

struct BinaryOperator {
  Op op = Op::literal;
  u32 level = 0;       // 0: not an operator
  bool chains = true;  // a + b + c is (a + b) + c; a -> b -> c is an error
};

inline constexpr u32 kLowestLevel = 1;
// What '!' takes in: everything from comparisons on.
inline constexpr u32 kComparisonLevel = 8;

BinaryOperator binary_operator(Tok kind);

}  // namespace xmc::murphi
