// The operators of expressions: one list for the trees of all languages, for programs and for
// actions. Each of them is an enum with kinds of its own around the list, so that an operator of
// one is found in another by its place in it.
#pragma once

#include "xmc/types.h"

// On one value, then on two.
#define XMC_OPERATORS_ON_NUMBERS                                                                  \
  negate, bit_not, logical_not, multiply, divide, modulo, add, subtract, shift_left, shift_right, \
      less, less_equal, greater, greater_equal, equal, not_equal, bit_and, bit_xor, bit_or
// Those behind them do not ask for the right side if the left one decides.
#define XMC_OPERATORS XMC_OPERATORS_ON_NUMBERS, logical_and, logical_or, imply

namespace xmc {

enum class Operator : u8 { XMC_OPERATORS };

// The same questions for all enums with the list among their kinds.
template <class Op>
constexpr bool is_unary(Op op) {
  return op >= Op::negate && op <= Op::logical_not;
}
template <class Op>
constexpr bool is_comparison(Op op) {
  return op >= Op::less && op <= Op::not_equal;
}
template <class Op>
constexpr bool is_logical(Op op) {
  return op >= Op::logical_and && op <= Op::imply;
}

template <class Op>
constexpr Operator operator_of(Op op) {
  return static_cast<Operator>(static_cast<u32>(op) - static_cast<u32>(Op::negate));
}
// The same operator in another such enum.
template <class To, class From>
constexpr To same_operator(From op) {
  return static_cast<To>(static_cast<u32>(To::negate) + static_cast<u32>(operator_of(op)));
}

}  // namespace xmc
