#include "front/promela/parse/fold.h"

#include "front/fold.h"
#include "xmc/limits.h"

namespace xmc::promela {

namespace {

void refuse_channel(Context& context, ExprId expr) {
  context.error(span_of(context, expr),
                "there is no arithmetic on channels; compare them with == and !=");
}

// A constant that the text does not have as it is.
ExprId make_computed(Context& context, i32 value, Span place) {
  Expr node;
  node.value = value;
  node.b = 1;
  node.place = place;
  return context.add(context.system.expressions, node, "expressions", place);
}

}  // namespace

ExprId make_node(Context& context, Expr node, ExprId a, ExprId b, ExprId c) {
  u32 height = 0;
  for (const ExprId child : {a, b, c}) {
    if (child == kNone) continue;
    const u32 below = context.system.expressions[child].height;
    if (below > height) height = below;
  }
  if (height >= limits::kTreeDepth) {
    context.error(node.place, "an expression of more than %u levels; split it",
                  static_cast<unsigned>(limits::kTreeDepth));
    return make_literal(context, 0, node.place);
  }
  node.height = static_cast<u16>(height + 1);
  return context.add(context.system.expressions, node, "expressions", node.place);
}

ExprId make_literal(Context& context, i32 value, Span place) {
  Expr node;
  node.value = value;
  node.place = place;
  return context.add(context.system.expressions, node, "expressions", place);
}

bool is_literal(const Context& context, ExprId expr, i32& value) {
  const Expr& node = context.system.expressions[expr];
  value = node.value;
  return node.op == Op::literal;
}

bool is_written(const Context& context, ExprId expr, i32 value) {
  const Expr& node = context.system.expressions[expr];
  return node.op == Op::literal && node.value == value && node.b == 0;
}

ExprId make_unary(Context& context, Op op, ExprId operand, Span place) {
  i32 value = 0;
  if (context.system.expressions[operand].is_channel) refuse_channel(context, operand);
  if (is_literal(context, operand, value)) {
    return make_computed(context, fold_unary(operator_of(op), value), place);
  }
  Expr node;
  node.op = op;
  node.a = operand;
  node.place = place;
  return make_node(context, node, operand);
}

ExprId make_binary(Context& context, Op op, ExprId left, ExprId right) {
  const Span place = join(span_of(context, left), span_of(context, right));
  const bool compares = op == Op::equal || op == Op::not_equal;
  for (const ExprId side : {left, right}) {
    if (context.system.expressions[side].is_channel && !compares) {
      refuse_channel(context, side);
      break;
    }
  }
  i32 a = 0;
  i32 b = 0;
  if (is_literal(context, left, a)) {
    bool decided = false;
    if (fold_short_circuit(operator_of(op), a != 0, decided))
      return make_computed(context, decided, place);
    i32 value = 0;
    if (is_literal(context, right, b) && fold_binary(operator_of(op), a, b, value)) {
      return make_computed(context, value, place);
    }
  }
  Expr node;
  node.op = op;
  node.a = left;
  node.b = right;
  node.place = place;
  return make_node(context, node, left, right);
}

ExprId make_conditional(Context& context, ExprId test, ExprId yes, ExprId no, Span place) {
  i32 value = 0;
  if (is_literal(context, test, value)) {
    const ExprId taken = value != 0 ? yes : no;
    return is_literal(context, taken, value) ? make_computed(context, value, place) : taken;
  }
  Expr node;
  node.op = Op::conditional;
  node.a = test;
  node.b = yes;
  node.c = no;
  node.is_channel = context.system.expressions[yes].is_channel;
  node.place = place;
  return make_node(context, node, test, yes, no);
}

}  // namespace xmc::promela
