// Expressions, by precedence climbing. Chains of one level are loops; only parentheses, indexes,
// unary operators and a right operand that binds tighter recurse, and these levels are counted
// against limits::kExpressionDepth.
#include "front/dve/dve_context.h"
#include "front/dve/dve_precedence.h"
#include "xmc/check.h"
#include "xmc/limits.h"

namespace xmc::dve {

namespace {

constexpr u32 kComparisonLevel = 7;

Nesting nested(Context& context) {
  return {context, context.depth, limits::kExpressionDepth, "expression", "it"};
}

bool parse_unary(Context& context, Operand& out);

bool parse_parenthesis(Context& context, Operand& out) {
  const Nesting nesting = nested(context);
  if (!nesting.ok()) return false;
  const Token open = context.cursor.take();
  if (!parse_operand(context, out)) return false;
  if (!context.cursor.expect(Tok::right_paren, "')'")) return false;
  out = {out.expr, open.begin, context.cursor.last_end(), Op::literal, false};
  return true;
}

bool parse_primary(Context& context, Operand& out) {
  Cursor& cursor = context.cursor;
  const Token token = cursor.token();
  switch (token.kind) {
    case Tok::number:
    case Tok::kw_true:
    case Tok::kw_false: {
      cursor.take();
      const i32 value = token.kind == Tok::number ? token.value : token.kind == Tok::kw_true;
      out = {context.nodes.literal(value), token.begin, token.end, Op::literal, false};
      return true;
    }
    case Tok::left_paren:
      return parse_parenthesis(context, out);
    case Tok::name:
      return parse_reference(context, out);
    case Tok::plus_plus:
    case Tok::minus_minus:
      if (!cursor.syntax_error()) return false;
      context.error(span(token), "'%s' is not an operator of DVE",
                    token.kind == Tok::plus_plus ? "++" : "--");
      return false;
    default:
      return cursor.fail_expected("an expression");
  }
}

Op unary_operator(Tok kind) {
  switch (kind) {
    case Tok::minus:
      return Op::negate;
    case Tok::tilde:
      return Op::bit_not;
    case Tok::kw_not:
      return Op::logical_not;
    case Tok::exclamation:
      return Op::logical_not;
    default:
      return Op::literal;
  }
}

bool parse_unary(Context& context, Operand& out) {
  const Token mark = context.cursor.token();
  const Op op = unary_operator(mark.kind);
  if (op == Op::literal) return parse_primary(context, out);
  const Nesting nesting = nested(context);
  if (!nesting.ok()) return false;
  if (mark.kind == Tok::exclamation) {
    context.error(span(mark), "'!' only marks a send; negation is written 'not'");
  }
  context.cursor.take();
  if (!parse_unary(context, out)) return false;
  out = {context.nodes.unary(op, out.expr), mark.begin, out.end, op, op == Op::logical_not};
  return true;
}

// Joins `left` with the operators of at least `lowest` that follow it.
bool parse_rest(Context& context, u32 lowest, Operand& left) {
  Cursor& cursor = context.cursor;
  for (;;) {
    const BinaryOperator binary = binary_operator(cursor.token().kind);
    if (binary.level < lowest) return true;
    const Token mark = cursor.take();
    Operand right;
    if (!parse_unary(context, right)) return false;
    if (binary_operator(cursor.token().kind).level > binary.level) {
      const Nesting nesting = nested(context);
      if (!nesting.ok() || !parse_rest(context, binary.level + 1, right)) return false;
    }
    warn_if_tables_disagree(context, binary.op, mark, left, right);
    const bool leads_with_not = left.leads_with_not && binary.level > kComparisonLevel + 1;
    left = {context.nodes.binary(binary.op, left.expr, right.expr), left.begin, right.end,
            binary.op, leads_with_not};
    if (context.system.expressions[left.expr].op == binary.op &&
        (binary.op == Op::divide || binary.op == Op::modulo)) {
      context.note_spot(left.expr, left.begin, left.end);
    }
  }
}

// Marks that look like operators to someone who comes from C or from the probabilistic dialect.
bool reject_foreign_operator(Context& context) {
  const Token& token = context.cursor.token();
  const char* advice = nullptr;
  switch (token.kind) {
    case Tok::fat_arrow:
      advice = "'=>' is not an operator of DVE; implication is written 'imply'";
      break;
    case Tok::plus_plus:
      advice = "'++' is not an operator of DVE; one more is written '+ 1'";
      break;
    case Tok::minus_minus:
      advice = "'--' is not an operator of DVE; write '- 1', or '- -' with a blank";
      break;
    case Tok::assign:
      advice = "'=' only assigns; a comparison is written '=='";
      break;
    default:
      return true;
  }
  if (context.cursor.syntax_error()) {
    context.error(span(token), "%s", advice);
  }
  return false;
}

}  // namespace

bool parse_index(Context& context, Operand& out) {
  const Nesting nesting = nested(context);
  if (!nesting.ok()) return false;
  const Token open = context.cursor.take();
  XMC_CHECK(open.kind == Tok::left_bracket);
  return parse_operand(context, out) && context.cursor.expect(Tok::right_bracket, "']'");
}

bool parse_operand(Context& context, Operand& out) {
  if (!parse_unary(context, out) || !parse_rest(context, 1, out)) return false;
  if (!reject_foreign_operator(context)) return false;
  if (context.nodes.overflowed()) {
    Token where;
    where.begin = out.begin;
    where.end = out.end;
    context.report_full("different expressions", decltype(System::expressions)::capacity(),
                        span(where));
  }
  return true;
}

}  // namespace xmc::dve
