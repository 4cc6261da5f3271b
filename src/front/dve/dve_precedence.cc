// The implementations of DVE do not agree on precedence. The reference parser gives 'and' and 'or'
// one level, and the bit operators | & ^ one level, both left to right; DiVinE 3 lets bit operators
// bind tighter than comparisons; Helena lets 'not' take in a whole comparison. We use the
// documented table, and warn about a text that one of them would read differently.
#include "front/dve/dve_precedence.h"

#include "front/dve/dve_context.h"

namespace xmc::dve {

BinaryOperator binary_operator(Tok kind) {
  switch (kind) {
    case Tok::kw_imply:
      return {1, Op::imply};
    case Tok::kw_or:
      return {2, Op::logical_or};
    case Tok::kw_and:
      return {3, Op::logical_and};
    case Tok::bar:
      return {4, Op::bit_or};
    case Tok::caret:
      return {5, Op::bit_xor};
    case Tok::ampersand:
      return {6, Op::bit_and};
    case Tok::equal:
      return {7, Op::equal};
    case Tok::not_equal:
      return {7, Op::not_equal};
    case Tok::less:
      return {8, Op::less};
    case Tok::less_equal:
      return {8, Op::less_equal};
    case Tok::greater:
      return {8, Op::greater};
    case Tok::greater_equal:
      return {8, Op::greater_equal};
    case Tok::shift_left:
      return {9, Op::shift_left};
    case Tok::shift_right:
      return {9, Op::shift_right};
    case Tok::plus:
      return {10, Op::add};
    case Tok::minus:
      return {10, Op::subtract};
    case Tok::star:
      return {11, Op::multiply};
    case Tok::slash:
      return {11, Op::divide};
    case Tok::percent:
      return {11, Op::modulo};
    default:
      return {};
  }
}

void warn_if_tables_disagree(Context& context, Op op, const Token& mark, const Operand& left,
                             const Operand& right) {
  const std::string_view sign = context.cursor.text(mark);
  const int sign_bytes = shown_bytes(sign);
  // With one level for both, a or b and c is (a or b) and c; a and b or c is the same in both
  // readings.
  if (op == Op::logical_or && right.shape == Op::logical_and) {
    context.warning(
        span(right),
        "'and' is taken before 'or' here, but some tools read from left to right; add parentheses");
  }
  if (is_bit_operator(op) && is_bit_operator(right.shape) && right.shape != op) {
    context.warning(
        span(right),
        "this is taken before '%.*s', but some tools read bit operators from left to right; "
        "add parentheses",
        sign_bytes, sign.data());
  }
  if (is_bit_operator(op)) {
    for (const Operand* side : {&left, &right}) {
      if (!is_comparison(side->shape)) continue;
      context.warning({side->begin, side->end},
                      "this comparison is taken before '%.*s', but some tools take '%.*s' first; "
                      "add parentheses",
                      sign_bytes, sign.data(), sign_bytes, sign.data());
    }
  }
  if (is_comparison(op) && left.leads_with_not) {
    context.warning(span(left),
                    "'not' is taken before '%.*s' here, but some tools negate the comparison; "
                    "add parentheses",
                    sign_bytes, sign.data());
  }
}

}  // namespace xmc::dve
