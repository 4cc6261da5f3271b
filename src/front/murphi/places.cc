// Designators: what they begin with, whether they may be changed, and whether two of them are one.
#include "front/murphi/nodes.h"
#include "xmc/check.h"

namespace xmc::murphi {

bool is_place(const Context& context, ExprId expr) {
  const Op op = context.system.expressions[expr].op;
  return op == Op::variable || op == Op::field || op == Op::element;
}

namespace {

// An alias stands for an expression before it, so that this comes to an end.
ExprId without_aliases(const Context& context, ExprId expr) {
  const System& system = context.system;
  for (;;) {
    const Expr& node = system.expressions[expr];
    if (node.op != Op::variable) return expr;
    const Variable& variable = system.variables[node.a];
    if (variable.role != Role::alias) return expr;
    expr = variable.value;
  }
}

// The variable at the bottom of a designator once aliases are followed, which is where `expr` ends.
VariableId bottom(const Context& context, ExprId& expr) {
  const System& system = context.system;
  for (;;) {
    expr = without_aliases(context, expr);
    const Expr& node = system.expressions[expr];
    if (node.op == Op::variable) return node.a;
    if (node.op != Op::field && node.op != Op::element) return kNone;
    expr = node.a;
  }
}

void report_read_only(Context& context, ExprId target, const Variable& variable) {
  const Span place = place_of(context, target);
  const std::string_view name = variable.name;
  const int bytes = shown_bytes(name);
  switch (variable.role) {
    case Role::value:
      context.error(place, "parameter '%.*s' is read-only; declare it 'var', or copy it", bytes,
                    name.data());
      break;
    case Role::loop:
      context.error(place, "loop variable '%.*s' is read-only; copy it to a local variable", bytes,
                    name.data());
      break;
    case Role::parameter:
      context.error(place, "ruleset parameter '%.*s' is read-only; copy it to a local variable",
                    bytes, name.data());
      break;
    default:
      context.error(place, "'%.*s' chooses an element and cannot be changed", bytes, name.data());
  }
  context.note(variable.place, "'%.*s' is declared here", bytes, name.data());
}

void report_no_place(Context& context, ExprId target, const char* verb) {
  const Expr& node = context.system.expressions[target];
  const std::string_view name = context.text(node.place);
  if (node.op == Op::variable) {
    context.error(node.place, "alias '%.*s' stands for a value, so it cannot be %s",
                  shown_bytes(name), name.data(), verb);
  } else if (node.op == Op::literal) {
    context.error(node.place, "'%.*s' is a constant, so it cannot be %s", shown_bytes(name),
                  name.data(), verb);
  } else {
    context.error(node.place, "only a variable, a field or an element can be %s", verb);
  }
}

}  // namespace

VariableId root_of(const Context& context, ExprId expr) { return bottom(context, expr); }

VariableId changeable_root(Context& context, ExprId target, const char* verb) {
  if (target == kErrorExpr) return kNone;
  ExprId expr = target;
  const VariableId root = bottom(context, expr);
  if (root == kNone) {
    report_no_place(context, target, verb);
    return kNone;
  }
  const Variable& variable = context.system.variables[root];
  if (variable.role == Role::global || variable.role == Role::local ||
      variable.role == Role::reference) {
    return root;
  }
  report_read_only(context, target, variable);
  return kNone;
}

bool check_target(Context& context, ExprId target, const char* verb) {
  const VariableId root = changeable_root(context, target, verb);
  if (root != kNone) note_written(context, root);
  return root != kNone;
}

// The height of expressions is limited, and so is this recursion.
bool same_place(const Context& context, ExprId one, ExprId other) {
  const Expr& a = context.system.expressions[without_aliases(context, one)];
  const Expr& b = context.system.expressions[without_aliases(context, other)];
  if (a.op != b.op) return false;
  switch (a.op) {
    case Op::literal:
      return a.value == b.value && a.type == b.type;
    case Op::variable:
      return a.a == b.a;
    case Op::field:
      return a.b == b.b && same_place(context, a.a, b.a);
    case Op::to_union:
    case Op::from_union:
    case Op::negate:
      return a.type == b.type && same_place(context, a.a, b.a);
    case Op::element:
    case Op::add:
    case Op::subtract:
    case Op::multiply:
    case Op::divide:
    case Op::modulo:
      return same_place(context, a.a, b.a) && same_place(context, a.b, b.b);
    default:
      return false;
  }
}

}  // namespace xmc::murphi
