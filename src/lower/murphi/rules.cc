#include "lower/murphi/rules.h"

#include <algorithm>

#include "lower/murphi/expr/expr.h"
#include "lower/murphi/expr/memory.h"
#include "lower/murphi/multisets.h"
#include "lower/murphi/properties.h"
#include "lower/murphi/statements.h"
#include "xmc/scratch.h"

namespace xmc::murphi_lower {

namespace {

ir::Rule lower_rule(Code& code, const Layout& layout, const murphi::Rule& rule, RuleLists& lists) {
  ir::Rule out;
  out.priority = static_cast<i32>(rule.priority);
  bind_parameters(code, layout, rule, out, lists.parameters);
  out.code = code.open_body(bindings_end(layout, rule));
  Label off;
  Label end;
  const Scope around{.layout = layout, .rule = &rule, .end = &end};
  const Scope scope = bind_names(code, around, lists.alias_room, off);
  if (rule.guard != kNone) branch(code, scope, rule.guard, off, false);
  code.emit({.op = BodyOp::begin});
  if (rule.frame_leaves != 0) {
    const u32 top = code.top();
    fill(code, {.local = true}, 0, rule.frame_leaves, code.constant(ir::kUndefined));
    code.give_back(top);
  }
  statements(code, scope, rule.body);
  code.bind(end);
  sort_multisets(code, layout);
  code.emit({.op = BodyOp::end});
  code.bind(off);
  for (u32 asked = out.parameter_count + 1; asked-- > 0;)
    code.emit({.op = BodyOp::disabled, .a = asked});
  code.close_body();
  return out;
}

}  // namespace

RuleLists::RuleLists(const murphi::System& system, bool is_symmetric, Arena& arena)
    : rules(arena, "rules"),
      starts(arena, "rules"),
      liveness(arena, "rules"),
      parameters(arena, "rules"),
      predicates(arena, "rules"),
      assumptions(arena, "rules"),
      symmetric(is_symmetric) {
  u32 most = 0;
  for (u32 i = 0; i < system.rules.size(); ++i)
    most = std::max(most, system.rules[i].binding_count);
  alias_room = scratch_array<Alias>(arena, "rules", most);
}

void lower_rules(Code& code, const Layout& layout, bool with_liveness, RuleLists& out) {
  for (u32 i = 0; i < layout.system.rules.size(); ++i) {
    const murphi::Rule& rule = layout.system.rules[i];
    switch (rule.kind) {
      case murphi::RuleKind::rule:
        out.rules.push(lower_rule(code, layout, rule, out));
        break;
      case murphi::RuleKind::startstate:
        out.starts.push(lower_rule(code, layout, rule, out));
        break;
      case murphi::RuleKind::invariant:
        out.predicates.push({.kind = PredicateText::Kind::invariant,
                             .condition = lower_property(code, layout, rule, false)});
        break;
      case murphi::RuleKind::assume:
        out.assumptions.push(lower_property(code, layout, rule, false));
        break;
      case murphi::RuleKind::cover:
        code.add_cover(rule.name, layout.expr(rule.guard).place,
                       lower_property(code, layout, rule, true));
        break;
      case murphi::RuleKind::liveness:
        if (with_liveness) out.liveness.push(lower_liveness(code, layout, rule, out));
        break;
    }
  }
}

}  // namespace xmc::murphi_lower
