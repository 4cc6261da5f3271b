// Binary operators of DVE by their documented precedence, low to high:
//
//   1 imply   2 or   3 and   4 |   5 ^   6 &   7 == !=   8 < <= > >=   9 << >>   10 + -   11 * / %
//
// All are left-associative; unary - ~ not bind tighter than any of them.
#pragma once

#include "front/dve/dve_ast.h"
#include "front/dve/lexer.h"

namespace xmc::dve {

struct BinaryOperator {
  u32 level = 0;  // 0: the token is none
  Op op = Op::literal;
};

BinaryOperator binary_operator(Tok kind);

inline bool is_bit_operator(Op op) {
  return op == Op::bit_and || op == Op::bit_xor || op == Op::bit_or;
}

}  // namespace xmc::dve
