#include "front/murphi/precedence.h"

namespace xmc::murphi {

BinaryOperator binary_operator(Tok kind) {
  switch (kind) {
    case Tok::arrow:
      return {Op::imply, 1, false};
    case Tok::or_or:
      return {Op::logical_or, 2, true};
    case Tok::and_and:
      return {Op::logical_and, 3, true};
    case Tok::bar:
      return {Op::logical_or, 4, true};
    case Tok::caret:
      return {Op::bit_xor, 5, true};
    case Tok::ampersand:
      return {Op::logical_and, 6, true};
    case Tok::less:
      return {Op::less, kComparisonLevel, false};
    case Tok::less_equal:
      return {Op::less_equal, kComparisonLevel, false};
    case Tok::greater:
      return {Op::greater, kComparisonLevel, false};
    case Tok::greater_equal:
      return {Op::greater_equal, kComparisonLevel, false};
    case Tok::equal:
      return {Op::equal, kComparisonLevel, false};
    case Tok::not_equal:
      return {Op::not_equal, kComparisonLevel, false};
    case Tok::shift_left:
      return {Op::shift_left, 9, true};
    case Tok::shift_right:
      return {Op::shift_right, 9, true};
    case Tok::plus:
      return {Op::add, 10, true};
    case Tok::minus:
      return {Op::subtract, 10, true};
    case Tok::star:
      return {Op::multiply, 11, true};
    case Tok::slash:
      return {Op::divide, 11, true};
    case Tok::percent:
      return {Op::modulo, 11, true};
    default:
      return {};
  }
}

}  // namespace xmc::murphi
