// Expressions, by precedence climbing. Chains of one level are loops; parentheses, indexes,
// arguments, prefix operators and a right operand that binds tighter recurse, and these levels are
// counted against limits::kExpressionDepth.
#include "front/promela/parse/context.h"
#include "front/promela/parse/fold.h"

namespace xmc::promela {

namespace {

struct Binary {
  Op op = Op::literal;
  u32 level = 0;  // 0: no operator
};

Binary binary_operator(Tok kind) {
  switch (kind) {
    case Tok::or_or:
      return {Op::logical_or, 1};
    case Tok::and_and:
      return {Op::logical_and, 2};
    case Tok::bar:
      return {Op::bit_or, 3};
    case Tok::caret:
      return {Op::bit_xor, 4};
    case Tok::ampersand:
      return {Op::bit_and, 5};
    case Tok::equal:
      return {Op::equal, 6};
    case Tok::not_equal:
      return {Op::not_equal, 6};
    case Tok::less:
      return {Op::less, 7};
    case Tok::less_equal:
      return {Op::less_equal, 7};
    case Tok::greater:
      return {Op::greater, 7};
    case Tok::greater_equal:
      return {Op::greater_equal, 7};
    case Tok::shift_left:
      return {Op::shift_left, 8};
    case Tok::shift_right:
      return {Op::shift_right, 8};
    case Tok::plus:
      return {Op::add, 9};
    case Tok::minus:
      return {Op::subtract, 9};
    case Tok::star:
      return {Op::multiply, 10};
    case Tok::slash:
      return {Op::divide, 10};
    case Tok::percent:
      return {Op::modulo, 10};
    default:
      return {};
  }
}

bool parse_prefixed(Context& context, ExprId& out) {
  const Token mark = context.cursor.token();
  Op op = Op::literal;
  if (mark.kind == Tok::exclamation || mark.kind == Tok::send_sorted) op = Op::logical_not;
  if (mark.kind == Tok::minus) op = Op::negate;
  if (mark.kind == Tok::tilde) op = Op::bit_not;
  if (op == Op::literal) return parse_primary(context, out);
  const Nesting nesting = nested_expression(context);
  if (!nesting.ok()) return false;
  context.cursor.take();
  if (!parse_prefixed(context, out)) return false;
  const Span place = join(mark.place, span_of(context, out));
  out = make_unary(context, op, out, place);
  if (mark.kind == Tok::send_sorted) out = make_unary(context, op, out, place);  // "!!" is two
  return true;
}

bool parse_rest(Context& context, u32 lowest, ExprId& left) {
  for (;;) {
    const Binary binary = binary_operator(context.cursor.token().kind);
    if (binary.level < lowest || binary.level == 0) return true;
    context.cursor.take();
    ExprId right = kNone;
    if (!parse_prefixed(context, right)) return false;
    if (binary_operator(context.cursor.token().kind).level > binary.level) {
      const Nesting nesting = nested_expression(context);
      if (!nesting.ok() || !parse_rest(context, binary.level + 1, right)) return false;
    }
    left = make_binary(context, binary.op, left, right);
  }
}

}  // namespace

bool parse_expression(Context& context, ExprId& out) {
  return parse_prefixed(context, out) && parse_rest(context, 1, out);
}

bool parse_expression_from(Context& context, ExprId& left) { return parse_rest(context, 1, left); }

bool parse_comparison(Context& context, ExprId& out) {
  constexpr u32 kAboveLogic = 3;
  return parse_prefixed(context, out) && parse_rest(context, kAboveLogic, out);
}

bool parse_parenthesis(Context& context, ExprId& out) {
  Cursor& cursor = context.cursor;
  const Nesting nesting = nested_expression(context);
  if (!nesting.ok()) return false;
  const Span begin = cursor.take().place;
  if (!parse_expression(context, out)) return false;
  if (cursor.accept(Tok::arrow)) {
    ExprId yes = kNone;
    ExprId no = kNone;
    if (!parse_expression(context, yes) || !cursor.expect(Tok::colon, "':'") ||
        !parse_expression(context, no)) {
      return false;
    }
    out = make_conditional(context, out, yes, no, join(begin, cursor.here()));
  }
  return cursor.expect(Tok::right_paren, "')'");
}

bool parse_constant(Context& context, const char* what, i32& out) {
  const Within<Setting> setting(context.setting, Setting::constant);
  ExprId expr = kNone;
  if (!parse_expression(context, expr)) return false;
  if (is_literal(context, expr, out)) return true;
  context.error(span_of(context, expr), "%s must be a constant", what);
  out = 1;
  return true;
}

bool parse_argument(Context& context) {
  Cursor& cursor = context.cursor;
  ExprId expr = kNone;
  if (cursor.at(Tok::name) && !at_remote(context)) {
    const u32 found = context.symbols.find(cursor.token().text);
    const SymbolKind kind = found == kNone ? SymbolKind::unknown : context.symbols[found].kind;
    if (kind == SymbolKind::global || kind == SymbolKind::local) {
      Designated designated;
      if (!parse_designated(context, designated)) return false;
      if (designated.is_known && designated.field.type.kind == TypeKind::record) {
        for (u32 i = 0; i < leaves_of(context, designated.field.type); ++i) {
          Expr node;
          node.op = Op::load;
          node.a = leaf_reference(context, designated, i);
          node.is_channel = context.system.references[node.a].leaf_type.is_channel;
          node.place = designated.place;
          context.gather(context.gathered, make_node(context, node, kNone));
        }
        return true;
      }
      if (!parse_primary_from(context, designated, expr)) return false;
      if (!parse_expression_from(context, expr)) return false;
      context.gather(context.gathered, expr);
      return true;
    }
  }
  if (!parse_expression(context, expr)) return false;
  context.gather(context.gathered, expr);
  return true;
}

bool parse_arguments(Context& context) {
  do {
    if (!parse_argument(context)) return false;
  } while (context.cursor.accept(Tok::comma));
  return true;
}

}  // namespace xmc::promela
