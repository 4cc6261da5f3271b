// Makes nodes of expressions: operations on literals are computed, arithmetic on channels refused.
// What has no value (a division by zero) stays in the tree and is a run-time error where it is
// reached.
#pragma once

#include "front/promela/parse/context.h"

namespace xmc::promela {

// A node as it is; its height follows from up to three children, kNone for none.
ExprId make_node(Context& context, Expr node, ExprId a, ExprId b = kNone, ExprId c = kNone);
ExprId make_literal(Context& context, i32 value, Span place);
bool is_literal(const Context& context, ExprId expr, i32& value);
// Whether that constant stands there as it is: a number, a word or a name, no operation.
bool is_written(const Context& context, ExprId expr, i32 value);
ExprId make_unary(Context& context, Op op, ExprId operand, Span place);
ExprId make_binary(Context& context, Op op, ExprId left, ExprId right);
ExprId make_conditional(Context& context, ExprId test, ExprId yes, ExprId no, Span place);
inline Span span_of(const Context& context, ExprId expr) {
  return context.system.expressions[expr].place;
}

}  // namespace xmc::promela
