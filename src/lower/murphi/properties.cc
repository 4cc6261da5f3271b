#include "lower/murphi/properties.h"

#include "lower/murphi/expr/expr.h"
#include "lower/murphi/expr/loops.h"
#include "lower/murphi/expr/place.h"

namespace xmc::murphi_lower {

namespace {

// Rulesets around a property are loops in its body, which is left when one instance is `when`.
void property_loops(Code& code, const Scope& scope, u32 at, Label& out, bool when) {
  if (at == scope.rule->binding_count) return branch(code, scope, scope.rule->guard, out, when);
  const VariableId id = scope.system().bindings[scope.rule->first_binding + at];
  const Role role = scope.variable(id).role;
  if (role == Role::alias) {
    const Alias alias = bind_alias(code, scope, id);
    property_loops(code, scope.inside(alias), at + 1, out, when);
  } else if (role == Role::choice) {
    SlotLoop loop = open_slots(code, scope, id);
    property_loops(code, scope, at + 1, out, when);
    close_slots(code, loop);
  } else {
    Loop loop = open_loop(code, scope, id);
    property_loops(code, scope, at + 1, out, when);
    close_loop(code, loop);
  }
}

// A property of one value of a scalarset is not one of its other values, so that no permutation of
// a state can stand for it.
bool tells_apart(const Layout& layout, const murphi::Rule& rule) {
  for (u32 i = 0; i < rule.binding_count; ++i) {
    const VariableId id = layout.system.bindings[rule.first_binding + i];
    const TypeKind kind = layout.type(layout.variable(id).type).kind;
    if (kind == TypeKind::scalarset || kind == TypeKind::union_of) return true;
  }
  return false;
}

}  // namespace

u32 lower_property(Code& code, const Layout& layout, const murphi::Rule& rule, bool any) {
  const u32 body = code.open_body(bindings_end(layout, rule));
  const u32 r = code.constant(any ? 1 : 0);
  Label decided;
  property_loops(code, {.layout = layout, .rule = &rule}, 0, decided, any);
  code.set(r, any ? 0 : 1);
  code.bind(decided);
  code.close_body(r);
  return body;
}

ir::Rule lower_liveness(Code& code, const Layout& layout, const murphi::Rule& rule,
                        RuleLists& lists) {
  if (lists.symmetric && tells_apart(layout, rule)) {
    lists.symmetric = false;
    code.warn(rule.place,
              "a liveness property of each value of a scalarset is not one of a state and its "
              "permutations: there is no symmetry reduction");
  }
  ir::Rule out;
  out.priority = static_cast<i32>(rule.priority);
  bind_parameters(code, layout, rule, out, lists.parameters);
  out.code = code.open_body(bindings_end(layout, rule));
  const u32 r = code.constant(0);
  Label no;
  const Scope scope = bind_names(code, {.layout = layout, .rule = &rule}, lists.alias_room, no);
  branch(code, scope, rule.guard, no, false);
  code.set(r, 1);
  code.bind(no);
  code.close_body(r);
  return out;
}

}  // namespace xmc::murphi_lower
