// Makes expression nodes: types are checked, operations on literals computed, and values converted
// between a union and its parts. What is wrong is reported, and kErrorExpr stands for it.
#pragma once

#include "front/murphi/context.h"

namespace xmc::murphi {

// The first expression of every parse: what is wrong. It fits everything.
inline constexpr ExprId kErrorExpr = 0;

// Adds a node as it is; its height follows from `left` and `right`, its highest children or kNone.
ExprId make_node(Context& context, Expr node, ExprId left, ExprId right);
ExprId make_literal(Context& context, TypeId type, i64 value, Span place);
bool is_literal(const Context& context, ExprId expr, i64& value);
inline TypeId type_of(const Context& context, ExprId expr) {
  return context.system.expressions[expr].type;
}
inline Span place_of(const Context& context, ExprId expr) {
  return context.system.expressions[expr].place;
}

// `mark` is where the operator stands.
ExprId make_unary(Context& context, Op op, ExprId operand, Span mark);
ExprId make_binary(Context& context, Op op, ExprId left, ExprId right, Span mark);
ExprId make_conditional(Context& context, ExprId test, ExprId yes, ExprId no);

// `expr` as a value of `type`: the same node, or a conversion of it. `what` says what wants it, as
// in "%s needs a boolean".
ExprId convert(Context& context, ExprId expr, TypeId type, const char* what);
// What the node is with a conversion in front of it, after a check that it fits.
ExprId convert_union(Context& context, ExprId expr, TypeId type);
// False, and said so, when the expression is not boolean.
bool check_boolean(Context& context, ExprId expr, const char* what);

// A designator: a variable, or an element or field of one.
bool is_place(const Context& context, ExprId expr);
// The variable that a designator begins with, aliases followed; kNone when there is none.
VariableId root_of(const Context& context, ExprId expr);
// The variable that a target begins with, or kNone, reported, when it may not be changed.
VariableId changeable_root(Context& context, ExprId target, const char* verb);
// The same for a target that is changed, which is noted for the checks of guards.
bool check_target(Context& context, ExprId target, const char* verb);

// effects.cc: notes that the routine being parsed changes this variable, or calls another one.
void note_written(Context& context, VariableId variable);
void note_call(Context& context, u32 routine, Span place);
void report_watching(Context& context, u32 routine, Span place);
void warn_shared_argument(Context& context, u32 routine, const Variable& formal, ExprId actual);

// Whether two designators are the same text, aliases followed.
bool same_place(const Context& context, ExprId one, ExprId other);

}  // namespace xmc::murphi
