// Variables that are bound over the values of a type, an interval or the elements of a multiset,
// and the expressions that bind them.
#include "front/murphi/nodes.h"
#include "front/murphi/types.h"
#include "xmc/check.h"

namespace xmc::murphi {

namespace {

// A bound of an interval. A ruleset's must be known: it makes as many rules as there are values.
bool parse_bound(Context& context, Role role, const char* what, ExprId& out) {
  if (role == Role::parameter) return parse_constant_integer(context, what, out);
  if (!parse_expression(context, out)) return false;
  const TypeId type = type_of(context, out);
  if (is_number(context.system, type)) return true;
  context.error(place_of(context, out), "%s must be an integer, not a value of type %s", what,
                describe(context, type));
  out = kErrorExpr;
  return true;
}

bool parse_step(Context& context, Role role, ExprId& out) {
  const bool constant = role == Role::parameter || !context.is_rumur();
  if (constant ? !parse_constant_integer(context, "the step of a loop", out)
               : !parse_bound(context, role, "the step of a loop", out)) {
    return false;
  }
  i64 value = 0;
  if (!is_literal(context, out, value) || value != 0) return true;
  context.error(place_of(context, out), "a step of 0 would never end");
  out = kErrorExpr;
  return true;
}

// rumur refuses a loop that runs away from its end; to CMurphi it is empty.
void check_direction(Context& context, const Variable& variable, i64 from, i64 to, i64 step) {
  if (!context.is_rumur() || variable.step == kNone || from == to) return;
  if ((step > 0) == (to > from)) return;
  context.error(place_of(context, variable.step), "a step of %lld does not lead from %lld to %lld",
                static_cast<long long>(step), static_cast<long long>(from),
                static_cast<long long>(to));
}

// The type of a variable over an interval: a range where all of it is known.
void set_interval_type(Context& context, Variable& variable, Span place) {
  i64 from = 0;
  i64 to = 0;
  i64 step = 1;
  variable.type = kIntegerType;
  if (variable.from == kErrorExpr || variable.to == kErrorExpr || variable.step == kErrorExpr) {
    variable.type = kErrorType;
    return;
  }
  if (variable.step != kNone && !is_literal(context, variable.step, step)) return;
  if (!is_literal(context, variable.from, from) || !is_literal(context, variable.to, to)) return;
  check_direction(context, variable, from, to, step);
  if (step > 0 ? from <= to : from >= to) {
    variable.type = make_range(context, step > 0 ? from : to, step > 0 ? to : from, place);
  }
}

bool parse_interval(Context& context, Variable& variable) {
  Cursor& cursor = context.cursor;
  variable.is_interval = true;
  const u32 begin = cursor.token().begin;
  if (!parse_bound(context, variable.role, "a bound of the interval", variable.from) ||
      !cursor.expect(Tok::kw_to, "'to'") ||
      !parse_bound(context, variable.role, "a bound of the interval", variable.to)) {
    return false;
  }
  if (cursor.accept(Tok::kw_by) && !parse_step(context, variable.role, variable.step)) {
    return false;
  }
  set_interval_type(context, variable, {begin, cursor.last_end()});
  return true;
}

// One variable and what is behind it: more variables, or the body.
bool parse_levels(Context& context, Op op, ExprId& out) {
  Cursor& cursor = context.cursor;
  const Nesting nesting = nested_expression(context);
  if (!nesting.ok()) return false;
  Expr node;
  node.place.begin = cursor.token().begin;
  if (!parse_quantifier(context, Role::loop, node.a)) return false;
  cursor.accept(Tok::semicolon);
  if (at_quantifier(context)) {
    if (!parse_levels(context, op, node.b)) return false;
  } else if (!cursor.expect_do() || !parse_condition(context, "what a quantifier says", node.b)) {
    return false;
  }
  node.op = op;
  node.type = kBooleanType;
  node.place.end = cursor.last_end();
  const bool wrong =
      is_error(type_of(context, node.b)) || is_error(context.system.variables[node.a].type);
  out = wrong ? kErrorExpr : make_node(context, node, node.b, kNone);
  return true;
}

}  // namespace

bool at_quantifier(const Context& context) {
  if (!context.cursor.at(Tok::name)) return false;
  const Tok next = context.cursor.peek().kind;
  return next == Tok::colon || next == Tok::assign;
}

bool parse_quantifier(Context& context, Role role, VariableId& out) {
  Cursor& cursor = context.cursor;
  Token name;
  if (!cursor.expect_name(name, "the name of a variable")) return false;
  Variable variable;
  variable.role = role;
  if (cursor.accept(Tok::assign)) {
    if (!parse_interval(context, variable)) return false;
  } else {
    if (!cursor.expect(Tok::colon, "':' or ':='")) return false;
    const u32 begin = cursor.token().begin;
    if (!parse_type(context, variable.type)) return false;
    if (!is_countable(context.system, variable.type)) {
      context.error({begin, cursor.last_end()}, "'%.*s' must be of a simple type, not of type %s",
                    shown_bytes(cursor.text(name)), cursor.text(name).data(),
                    describe(context, variable.type));
      variable.type = kErrorType;
    }
  }
  out = context.declare_variable(name, variable);
  return true;
}

bool parse_quantified(Context& context, ExprId& out) {
  const Token word = context.cursor.take();
  const bool all = word.kind == Tok::kw_forall;
  const Scope scope(context);
  if (!parse_levels(context, all ? Op::forall : Op::exists, out)) return false;
  if (!expect_end(context, all ? Tok::kw_endforall : Tok::kw_endexists, word)) return false;
  if (out != kErrorExpr) {
    context.system.expressions[out].place = {word.begin, context.cursor.last_end()};
  }
  return true;
}

bool parse_choice(Context& context, VariableId& out) {
  Cursor& cursor = context.cursor;
  Token name;
  if (!cursor.expect_name(name, "the name of a variable") || !cursor.expect(Tok::colon, "':'")) {
    return false;
  }
  Variable variable;
  variable.role = Role::choice;
  if (!parse_designator(context, variable.value)) return false;
  const TypeId type = type_of(context, variable.value);
  variable.type = kErrorType;
  if (context.system.types[type].kind == TypeKind::multiset) {
    variable.type = make_choice(context, type, place_of(context, variable.value));
  } else if (!is_error(type)) {
    context.error(place_of(context, variable.value),
                  "an element is chosen from a multiset; this is of type %s",
                  describe(context, type));
  }
  out = context.declare_variable(name, variable);
  return true;
}

// multisetcount(NAME: multiset, condition)
bool parse_count(Context& context, ExprId& out) {
  Cursor& cursor = context.cursor;
  const Nesting nesting = nested_expression(context);
  if (!nesting.ok()) return false;
  const Scope scope(context);
  const Token word = cursor.take();
  Expr node;
  if (!cursor.expect(Tok::left_paren, "'('") || !parse_choice(context, node.a) ||
      !cursor.expect(Tok::comma, "','") ||
      !parse_condition(context, "the condition of multisetcount", node.b) ||
      !cursor.expect(Tok::right_paren, "')'")) {
    return false;
  }
  node.op = Op::count;
  node.type = kIntegerType;
  node.place = {word.begin, cursor.last_end()};
  const bool wrong =
      is_error(context.system.variables[node.a].type) || is_error(type_of(context, node.b));
  const ExprId multiset = context.system.variables[node.a].value;
  out = wrong ? kErrorExpr : make_node(context, node, node.b, multiset);
  return true;
}

bool parse_alias(Context& context, VariableId& out) {
  Cursor& cursor = context.cursor;
  Token name;
  if (!cursor.expect_name(name, "the name of an alias") || !cursor.expect(Tok::colon, "':'")) {
    return false;
  }
  Variable variable;
  variable.role = Role::alias;
  if (!parse_expression(context, variable.value)) return false;
  variable.type = type_of(context, variable.value);
  if (context.system.types[variable.type].kind == TypeKind::choice) {
    context.error(place_of(context, variable.value), "the choice of an element has no alias");
    variable.type = kErrorType;
  }
  out = context.declare_variable(name, variable);
  return true;
}

}  // namespace xmc::murphi
