// The types of operators, and their values where these are known.
#include "front/fold.h"
#include "front/murphi/nodes.h"
#include "front/murphi/types.h"
#include "xmc/check.h"

namespace xmc::murphi {

namespace {

bool is_ordering(Op op) { return op >= Op::less && op <= Op::greater_equal; }

bool is_equality(Op op) { return op == Op::equal || op == Op::not_equal; }

// Both operands of `op` must be integers.
bool check_numbers(Context& context, Op op, ExprId left, ExprId right, Span mark) {
  const System& system = context.system;
  for (const ExprId side : {left, right}) {
    const TypeId type = type_of(context, side);
    if (is_number(system, type)) continue;
    const std::string_view sign = context.text(mark);
    context.error(place_of(context, side), "'%.*s' needs integers; this is of type %s",
                  shown_bytes(sign), sign.data(), describe(context, type));
    if (is_ordering(op) && is_simple(system, type)) {
      context.note(mark, "only integers are ordered; all simple types have '=' and '!='");
    }
    return false;
  }
  return true;
}

bool check_equality(Context& context, ExprId& left, ExprId& right, Span mark) {
  const System& system = context.system;
  const TypeId a = type_of(context, left);
  const TypeId b = type_of(context, right);
  if (!fits(context, a, b)) {
    context.error(join(place_of(context, left), place_of(context, right)),
                  "cannot compare a value of type %s with one of type %s", describe(context, a),
                  describe(context, b));
    return false;
  }
  const bool simple = is_simple(system, a) && is_simple(system, b);
  const bool choices = system.types[a].kind == TypeKind::choice;
  if (!simple && (choices || !context.is_rumur())) {
    context.error(mark, "only simple values can be compared, not those of type %s",
                  describe(context, a));
    context.note(mark, "compare the fields or elements, with 'forall' if there are many");
    return false;
  }
  if (part_of(system, a, b) != kNone) right = convert_union(context, right, a);
  if (part_of(system, b, a) != kNone) left = convert_union(context, left, b);
  return true;
}

// '&' and '|' of integers are rumur's bitwise operators; CMurphi has them for booleans only.
Op bitwise_of(const Context& context, Op op, ExprId left, ExprId right, Span mark) {
  if (!context.is_rumur() || mark.end - mark.begin != 1) return op;
  const System& system = context.system;
  const TypeId a = type_of(context, left);
  const TypeId b = type_of(context, right);
  if (is_error(a) || is_error(b)) return op;
  if (!is_number(system, a) || !is_number(system, b)) return op;
  return op == Op::logical_and ? Op::bit_and : op == Op::logical_or ? Op::bit_or : op;
}

bool check_operands(Context& context, Op op, ExprId& left, ExprId& right, Span mark) {
  if (is_logical(op)) {
    const std::string_view sign = context.text(mark);
    FixedText<48> what;
    what.format("an operand of '%.*s'", shown_bytes(sign), sign.data());
    const bool first = check_boolean(context, left, what.c_str());
    return check_boolean(context, right, what.c_str()) && first;
  }
  if (is_equality(op)) return check_equality(context, left, right, mark);
  return check_numbers(context, op, left, right, mark);
}

// What is zero whatever the right side is: rumur takes it for a constant.
bool absorbs(const Context& context, Op op, i64 left) {
  if (!context.is_rumur() || context.setting != Setting::constant || left != 0) return false;
  return op == Op::multiply || op == Op::divide || op == Op::modulo || op == Op::shift_left ||
         op == Op::shift_right || op == Op::bit_and;
}

bool known(const Context& context, Op op, ExprId left, ExprId right, i64& result) {
  i64 a = 0;
  i64 b = 0;
  const Operator what = operator_of(op);
  bool decided = false;
  if (!is_literal(context, left, a)) return false;
  if (fold_short_circuit(what, a != 0, decided)) {
    result = decided;
    return true;
  }
  result = 0;
  if (!is_literal(context, right, b)) return absorbs(context, op, a);
  return fold_binary(what, a, b, result);
}

TypeId result_of(Op op) {
  return is_logical(op) || is_comparison(op) ? kBooleanType : kIntegerType;
}

}  // namespace

ExprId make_unary(Context& context, Op op, ExprId operand, Span mark) {
  const System& system = context.system;
  const TypeId type = type_of(context, operand);
  const Span place = join(mark, place_of(context, operand));
  if (is_error(type)) return kErrorExpr;
  if (op == Op::logical_not) {
    if (!check_boolean(context, operand, "the operand of '!'")) return kErrorExpr;
  } else if (!is_number(system, type)) {
    const std::string_view sign = context.text(mark);
    context.error(place_of(context, operand), "'%.*s' needs an integer; this is of type %s",
                  shown_bytes(sign), sign.data(), describe(context, type));
    return kErrorExpr;
  }
  const TypeId result_type = op == Op::logical_not ? kBooleanType : kIntegerType;
  i64 value = 0;
  i64 result = 0;
  if (is_literal(context, operand, value) && fold_unary(operator_of(op), value, result)) {
    return make_literal(context, result_type, result, place);
  }
  Expr node;
  node.op = op;
  node.type = result_type;
  node.a = operand;
  node.place = place;
  return make_node(context, node, operand, kNone);
}

ExprId make_binary(Context& context, Op op, ExprId left, ExprId right, Span mark) {
  const Span place = join(place_of(context, left), place_of(context, right));
  const bool wrong = is_error(type_of(context, left)) || is_error(type_of(context, right));
  op = bitwise_of(context, op, left, right, mark);
  if (!check_operands(context, op, left, right, mark) || wrong) return kErrorExpr;
  i64 result = 0;
  if (known(context, op, left, right, result)) {
    return make_literal(context, result_of(op), result, place);
  }
  Expr node;
  node.op = op;
  node.type = result_of(op);
  node.a = left;
  node.b = right;
  node.place = place;
  return make_node(context, node, left, right);
}

// The arms' common type: the union if one arm is of a union, an integer if two ranges differ.
ExprId make_conditional(Context& context, ExprId test, ExprId yes, ExprId no) {
  const System& system = context.system;
  const Span place = join(place_of(context, test), place_of(context, no));
  if (!check_boolean(context, test, "the condition of '?'")) return kErrorExpr;
  TypeId type = type_of(context, yes);
  const TypeId other = type_of(context, no);
  if (!fits(context, type, other)) {
    context.error(join(place_of(context, yes), place_of(context, no)),
                  "both values of '?:' must be of one type; these are of types %s and %s",
                  describe(context, type), describe(context, other));
    return kErrorExpr;
  }
  if (is_error(type) || is_error(other) || is_error(type_of(context, test))) return kErrorExpr;
  if (part_of(system, other, type) != kNone) type = other;
  if (is_number(system, type) && type != other) type = kIntegerType;
  yes = convert_union(context, yes, type);
  no = convert_union(context, no, type);
  i64 value = 0;
  if (is_literal(context, test, value)) {
    const ExprId chosen = value != 0 ? yes : no;
    if (is_literal(context, chosen, value)) return make_literal(context, type, value, place);
  }
  Expr node;
  node.op = Op::conditional;
  node.type = type;
  node.a = test;
  node.b = yes;
  node.c = no;
  node.place = place;
  const u16 arm = system.expressions[no].height;
  return make_node(context, node, test, system.expressions[yes].height > arm ? yes : no);
}

}  // namespace xmc::murphi
