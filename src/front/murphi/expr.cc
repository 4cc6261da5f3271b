// Expressions, by precedence climbing. Chains of one level are loops; only parentheses, indexes,
// arguments, quantifiers, prefix operators and a right operand that binds tighter recurse, and
// these levels are counted against limits::kExpressionDepth.
#include "front/murphi/context.h"
#include "front/murphi/nodes.h"
#include "front/murphi/precedence.h"
#include "front/murphi/types.h"
#include "xmc/check.h"

namespace xmc::murphi {

namespace {

bool parse_operand(Context& context, u32 lowest, ExprId& out);

bool parse_parenthesis(Context& context, ExprId& out) {
  const Nesting nesting = nested_expression(context);
  if (!nesting.ok()) return false;
  context.cursor.take();
  return parse_expression(context, out) && context.cursor.expect(Tok::right_paren, "')'");
}

// isundefined(designator)
bool parse_is_undefined(Context& context, ExprId& out) {
  Cursor& cursor = context.cursor;
  const Nesting nesting = nested_expression(context);
  if (!nesting.ok()) return false;
  const Token word = cursor.take();
  Expr node;
  if (!cursor.expect(Tok::left_paren, "'('") || !parse_expression(context, node.a) ||
      !cursor.expect(Tok::right_paren, "')'")) {
    return false;
  }
  node.op = Op::is_undefined;
  node.type = kBooleanType;
  node.place = {word.begin, cursor.last_end()};
  out = kErrorExpr;
  const TypeId type = type_of(context, node.a);
  if (is_error(type)) return true;
  if (!is_place(context, node.a)) {
    context.error(place_of(context, node.a),
                  "isundefined asks for a variable, a field or an element");
  } else if (!is_simple(context.system, type)) {
    context.error(place_of(context, node.a),
                  "isundefined asks for a simple value; this is of type %s",
                  describe(context, type));
  } else {
    out = make_node(context, node, node.a, kNone);
  }
  return true;
}

void check_member(Context& context, const Expr& node, TypeId type, ExprId& out) {
  const System& system = context.system;
  const TypeId value = type_of(context, node.a);
  if (is_error(type) || is_error(value)) return;
  const TypeKind kind = system.types[type].kind;
  if (kind != TypeKind::scalarset && kind != TypeKind::enumeration && kind != TypeKind::boolean) {
    context.error(node.place, "ismember asks for an enum or a scalarset, not for type %s",
                  describe(context, type));
  } else if (value != type && part_of(system, value, type) == kNone) {
    context.error(node.place, "a value of type %s is never one of type %s",
                  describe(context, value), describe(context, type));
  } else {
    out = make_node(context, node, node.a, kNone);
  }
}

// ismember(value, type)
bool parse_is_member(Context& context, ExprId& out) {
  Cursor& cursor = context.cursor;
  const Nesting nesting = nested_expression(context);
  if (!nesting.ok()) return false;
  const Token word = cursor.take();
  Expr node;
  if (!cursor.expect(Tok::left_paren, "'('") || !parse_expression(context, node.a) ||
      !cursor.expect(Tok::comma, "','") || !parse_type(context, node.b) ||
      !cursor.expect(Tok::right_paren, "')'")) {
    return false;
  }
  node.op = Op::is_member;
  node.type = kBooleanType;
  node.place = {word.begin, cursor.last_end()};
  out = kErrorExpr;
  check_member(context, node, node.b, out);
  return true;
}

// A name, or a word that is a keyword where nothing is called so.
bool parse_named(Context& context, ExprId& out) {
  if (context.at_free_word("multisetcount")) return parse_count(context, out);
  if (context.at_free_word("ismember")) return parse_is_member(context, out);
  if (context.at_free_word("undefined")) {
    const Token word = context.cursor.take();
    context.error(span(word), "'undefined' can only be assigned or passed; ask with isundefined()");
    out = kErrorExpr;
    return true;
  }
  const bool call = context.cursor.peek().kind == Tok::left_paren;
  return call ? parse_call(context, false, out) : parse_designator(context, out);
}

bool parse_primary(Context& context, ExprId& out) {
  Cursor& cursor = context.cursor;
  const Token token = cursor.token();
  switch (token.kind) {
    case Tok::number:
      cursor.take();
      out = make_literal(context, kIntegerType, token.value, span(token));
      return true;
    case Tok::kw_true:
    case Tok::kw_false:
      cursor.take();
      out = make_literal(context, kBooleanType, token.kind == Tok::kw_true, span(token));
      return true;
    case Tok::left_paren:
      return parse_parenthesis(context, out);
    case Tok::kw_forall:
    case Tok::kw_exists:
      return parse_quantified(context, out);
    case Tok::kw_isundefined:
      return parse_is_undefined(context, out);
    case Tok::name:
      return parse_named(context, out);
    case Tok::string:
      if (!cursor.syntax_error()) return false;
      context.error(span(token), "a text is no value; it can only name and explain things");
      return false;
    default:
      return cursor.fail_expected("an expression");
  }
}

Op prefix_operator(Tok kind) {
  switch (kind) {
    case Tok::exclamation:
      return Op::logical_not;
    case Tok::minus:
      return Op::negate;
    case Tok::tilde:
      return Op::bit_not;
    default:
      return Op::literal;
  }
}

bool parse_prefixed(Context& context, ExprId& out) {
  Cursor& cursor = context.cursor;
  const Token mark = cursor.token();
  const Op op = prefix_operator(mark.kind);
  if (op == Op::literal && mark.kind != Tok::plus) return parse_primary(context, out);
  const Nesting nesting = nested_expression(context);
  if (!nesting.ok()) return false;
  cursor.take();
  if (op == Op::logical_not) {
    if (!parse_operand(context, kComparisonLevel, out)) return false;
  } else if (!parse_prefixed(context, out)) {
    return false;
  }
  if (mark.kind == Tok::plus) {
    if (is_number(context.system, type_of(context, out))) return true;
    context.error(span(mark), "'+' needs an integer");
    out = kErrorExpr;
    return true;
  }
  out = make_unary(context, op, out, span(mark));
  return true;
}

bool reject_chain(Context& context, const Token& mark) {
  if (!context.cursor.syntax_error()) return false;
  const std::string_view sign = context.cursor.text(mark);
  context.error(span(context.cursor.token()), "'%.*s' cannot be chained; write parentheses",
                shown_bytes(sign), sign.data());
  return false;
}

// Joins `left` with the operators of at least `lowest` that follow it.
bool parse_rest(Context& context, u32 lowest, ExprId& left) {
  Cursor& cursor = context.cursor;
  for (;;) {
    const BinaryOperator binary = binary_operator(cursor.token().kind);
    if (binary.level < lowest || binary.level == 0) return true;
    const Token mark = cursor.take();
    ExprId right = kErrorExpr;
    if (!parse_prefixed(context, right)) return false;
    if (binary_operator(cursor.token().kind).level > binary.level) {
      const Nesting nesting = nested_expression(context);
      if (!nesting.ok() || !parse_rest(context, binary.level + 1, right)) return false;
    }
    if (!binary.chains && binary_operator(cursor.token().kind).level == binary.level) {
      return reject_chain(context, mark);
    }
    left = make_binary(context, binary.op, left, right, span(mark));
  }
}

bool parse_operand(Context& context, u32 lowest, ExprId& out) {
  return parse_prefixed(context, out) && parse_rest(context, lowest, out);
}

// Behind the condition of `? :`; what stands between the two signs may be anything.
bool parse_arms(Context& context, ExprId& out) {
  Cursor& cursor = context.cursor;
  const Nesting nesting = nested_expression(context);
  if (!nesting.ok()) return false;
  const Token mark = cursor.take();
  ExprId yes = kErrorExpr;
  ExprId no = kErrorExpr;
  if (!parse_expression(context, yes) || !cursor.expect(Tok::colon, "':'") ||
      !parse_operand(context, kLowestLevel, no)) {
    return false;
  }
  if (cursor.at(Tok::question)) return reject_chain(context, mark);
  out = make_conditional(context, out, yes, no);
  return true;
}

// An operation on literals that stayed in the tree has no value.
bool lacks_value(const Context& context, const Expr& node) {
  i64 value = 0;
  if (node.op < Op::negate || node.op > Op::imply || !is_literal(context, node.a, value)) {
    return false;
  }
  return node.op < Op::multiply || is_literal(context, node.b, value);
}

void report_unknown_value(Context& context, ExprId expr, const char* what) {
  const Expr& node = context.system.expressions[expr];
  if (lacks_value(context, node)) {
    context.error(node.place, "%s must be a constant; this divides by zero or overflows", what);
  } else {
    context.error(node.place, "%s must be a constant; this is known only at run time", what);
  }
}

}  // namespace

bool parse_expression(Context& context, ExprId& out) {
  if (!parse_operand(context, kLowestLevel, out)) return false;
  return !context.cursor.at(Tok::question) || parse_arms(context, out);
}

bool parse_condition(Context& context, const char* what, ExprId& out) {
  if (!parse_expression(context, out)) return false;
  if (!check_boolean(context, out, what)) out = kErrorExpr;
  return true;
}

bool parse_constant(Context& context, const char* what, ExprId& out) {
  const Within setting(context.setting, Setting::constant);
  if (!parse_expression(context, out)) return false;
  i64 value = 0;
  if (is_error(type_of(context, out)) || is_literal(context, out, value)) return true;
  report_unknown_value(context, out, what);
  out = kErrorExpr;
  return true;
}

bool parse_constant_integer(Context& context, const char* what, ExprId& out) {
  if (!parse_constant(context, what, out)) return false;
  const TypeId type = type_of(context, out);
  if (is_number(context.system, type)) return true;
  context.error(place_of(context, out), "%s must be an integer, not a value of type %s", what,
                describe(context, type));
  out = kErrorExpr;
  return true;
}

}  // namespace xmc::murphi
