#include "lower/murphi/bindings.h"

#include <algorithm>

#include "lower/murphi/expr/loops.h"
#include "lower/murphi/expr/place.h"

namespace xmc::murphi_lower {

namespace {

struct Interval {
  i64 low = 0;
  i64 high = 0;
  i64 step = 1;

  bool fits() const {
    return low == static_cast<i32>(low) && high == static_cast<i32>(high) &&
           step == static_cast<i32>(step) && step != 0;
  }
  i64 count() const {
    if (step > 0 ? high < low : low < high) return 0;
    return step > 0 ? (high - low) / step + 1 : (low - high) / -step + 1;
  }
};

bool is_known(const Layout& layout, ExprId id) { return layout.expr(id).op == Op::literal; }

void bind_interval(Code& code, const murphi::Variable& v, const Interval& values,
                   ir::Parameter& out) {
  if (!values.fits()) return code.refuse(v.place, "a ruleset whose bounds do not fit 32 bits");
  const i64 count = values.count();
  if (count > i64{limits::kSuccessors}) code.refuse(v.place, "a ruleset of so many values");
  out.low = static_cast<i32>(values.low);
  out.step = static_cast<i32>(values.step);
  out.count = static_cast<u32>(std::min<i64>(count, limits::kSuccessors));
}

// Of a variable that is no alias.
void bind_parameter(Code& code, const Layout& layout, const murphi::Variable& v,
                    ir::Parameter& out) {
  if (v.role == Role::choice) {
    out.count = layout.type_of(v.value).count;
    return;
  }
  const murphi::Type& t = layout.type(v.type);
  if (!v.is_interval) return bind_interval(code, v, {t.low, t.high, 1}, out);
  const bool known = is_known(layout, v.from) && is_known(layout, v.to) &&
                     (v.step == kNone || is_known(layout, v.step));
  if (!known) return code.refuse(v.place, "a ruleset whose bounds are no constants");
  const i64 step = v.step == kNone ? 1 : layout.expr(v.step).value;
  bind_interval(code, v, {layout.expr(v.from).value, layout.expr(v.to).value, step}, out);
}

}  // namespace

u32 bindings_end(const Layout& layout, const murphi::Rule& rule) {
  u32 cell = rule.frame_leaves;
  for (u32 i = 0; i < rule.binding_count; ++i)
    cell += layout.cells_of(layout.system.bindings[rule.first_binding + i]);
  return cell;
}

void bind_parameters(Code& code, const Layout& layout, const murphi::Rule& rule, ir::Rule& out,
                     Parameters& parameters) {
  u32 cell = rule.frame_leaves;
  u64 instances = 1;
  out.first_parameter = parameters.size();
  for (u32 i = 0; i < rule.binding_count; ++i) {
    const VariableId id = layout.system.bindings[rule.first_binding + i];
    const murphi::Variable& v = layout.variable(id);
    if (v.role != Role::alias) {
      ir::Parameter parameter{.cell = cell};
      bind_parameter(code, layout, v, parameter);
      parameters.push(parameter);
      instances = std::min<u64>(instances * parameter.count, limits::kSteps + u64{1});
    }
    cell += layout.cells_of(id);
  }
  out.parameter_count = parameters.size() - out.first_parameter;
  out.step_count = static_cast<u32>(instances);
}

Scope bind_names(Code& code, const Scope& around, std::span<Alias> room, Label& off) {
  Scope scope = around;
  for (u32 i = 0; i < scope.rule->binding_count; ++i) {
    const VariableId id = scope.system().bindings[scope.rule->first_binding + i];
    const murphi::Variable& v = scope.variable(id);
    if (v.role == Role::alias) {
      room[i] = bind_alias(code, scope, id);
      scope.aliases = &room[i];
    } else if (v.role == Role::choice) {
      const Place multiset = place(code, scope, v.value);
      const Place slot = slot_of(code, scope, multiset, cell_of(scope, id), v.place);
      jump_if_free(code, scope, slot, off);
    }
  }
  return scope;
}

}  // namespace xmc::murphi_lower
