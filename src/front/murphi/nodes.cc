#include "front/murphi/nodes.h"

#include "front/murphi/types.h"
#include "xmc/check.h"
#include "xmc/limits.h"

namespace xmc::murphi {

ExprId make_node(Context& context, Expr node, ExprId left, ExprId right) {
  const System& system = context.system;
  u32 height = 0;
  if (left != kNone) height = system.expressions[left].height;
  if (right != kNone && system.expressions[right].height > height) {
    height = system.expressions[right].height;
  }
  if (height >= limits::kTreeDepth) {
    context.error(node.place, "an expression of more than %u levels; split it",
                  static_cast<unsigned>(limits::kTreeDepth));
    return kErrorExpr;
  }
  node.height = static_cast<u16>(height + 1);
  return context.add(context.system.expressions, node, "expressions", node.place);
}

ExprId make_literal(Context& context, TypeId type, i64 value, Span place) {
  Expr node;
  node.type = type;
  node.value = value;
  node.place = place;
  return make_node(context, node, kNone, kNone);
}

bool is_literal(const Context& context, ExprId expr, i64& value) {
  const Expr& node = context.system.expressions[expr];
  if (node.op != Op::literal || is_error(node.type)) return false;
  value = node.value;
  return true;
}

bool check_boolean(Context& context, ExprId expr, const char* what) {
  const TypeId type = type_of(context, expr);
  if (is_boolean(context.system, type)) return true;
  context.error(place_of(context, expr), "%s must be boolean; this is of type %s", what,
                describe(context, type));
  return false;
}

ExprId convert_union(Context& context, ExprId expr, TypeId type) {
  const System& system = context.system;
  const Expr& source = system.expressions[expr];
  if (source.op == Op::undefined || source.type == type) return expr;
  Expr node;
  node.type = type;
  node.place = source.place;
  node.a = expr;
  if (const u32 part = part_of(system, type, source.type); part != kNone) {
    node.op = Op::to_union;
    i64 value = 0;
    if (is_literal(context, expr, value)) {
      return make_literal(context, type, value + i64{system.parts[part].first_value}, node.place);
    }
    return make_node(context, node, expr, kNone);
  }
  if (part_of(system, source.type, type) == kNone) return expr;
  node.op = Op::from_union;
  return make_node(context, node, expr, kNone);
}

namespace {

// A literal that no value of the type equals is a run-time error where it is reached, which need
// not be anywhere: a warning.
void warn_out_of_range(Context& context, ExprId expr, TypeId id, const char* what) {
  i64 value = 0;
  const Type& type = context.system.types[id];
  if (type.kind != TypeKind::range || !is_literal(context, expr, value)) return;
  if (value >= type.low && value <= type.high) return;
  context.warning(place_of(context, expr), "%s needs a value of %s; %lld is an error at run time",
                  what, describe(context, id), static_cast<long long>(value));
}

}  // namespace

ExprId convert(Context& context, ExprId expr, TypeId type, const char* what) {
  const TypeId source = type_of(context, expr);
  if (!fits(context, source, type)) {
    context.error(place_of(context, expr), "%s needs a value of type %s; this is of type %s", what,
                  describe(context, type), describe(context, source));
    return kErrorExpr;
  }
  if (is_error(source) || is_error(type)) return expr;
  warn_out_of_range(context, expr, type, what);
  return convert_union(context, expr, type);
}

}  // namespace xmc::murphi
