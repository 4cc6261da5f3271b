// Rules, startstates and properties. A rule is one body: aliases around it, its guard, `begin`, its
// statements. Parameters of rulesets, and of chooses, are registers that an execution sets.
#include <algorithm>

#include "lower/murphi/lowering.h"
#include "xmc/check.h"

namespace xmc::murphi_lower {

// Bindings have registers behind the frame of the rule: what is in the frame is undefined anew in
// each step, and they are not.
bool Lowering::bind_parameter(VariableId id, u32 cell, ir::Parameter& out) {
  const murphi::Variable& v = variable(id);
  cells_[id] = cell;
  out = {.cell = cell};
  if (v.role == Role::alias) return false;
  if (v.role == Role::choice) {
    out.count = type(expr(v.value).type).count;
    return true;
  }
  const murphi::Type& t = type(v.type);
  i64 low = t.low;
  i64 high = t.high;
  i64 step = 1;
  if (v.is_interval) {
    const bool known = expr(v.from).op == Op::literal && expr(v.to).op == Op::literal &&
                       (v.step == kNone || expr(v.step).op == Op::literal);
    if (!known) {
      refuse(v.place, "a ruleset whose bounds are no constants");
      return true;
    }
    low = expr(v.from).value;
    high = expr(v.to).value;
    if (v.step != kNone) step = expr(v.step).value;
  }
  const bool fits = low == static_cast<i32>(low) && high == static_cast<i32>(high) &&
                    step == static_cast<i32>(step) && step != 0;
  if (!fits) {
    refuse(v.place, "a ruleset whose bounds do not fit 32 bits");
    return true;
  }
  const i64 count = step > 0 ? (high - low) / step + 1 : (low - high) / -step + 1;
  const bool empty = step > 0 ? high < low : low < high;
  if (!empty && count > i64{limits::kSuccessors}) refuse(v.place, "a ruleset of so many values");
  out.low = static_cast<i32>(low);
  out.step = static_cast<i32>(step);
  out.count = empty ? 0 : static_cast<u32>(std::min<i64>(count, limits::kSuccessors));
  return true;
}

// Registers of what is around a rule; the first one behind them.
u32 Lowering::bind_parameters(const murphi::Rule& rule, ir::Rule& out) {
  u32 cell = rule.frame_leaves;
  out.code = code_.here();
  out.first_parameter = parameters_.size();
  out.priority = static_cast<i32>(rule.priority);
  u64 instances = 1;
  for (u32 i = 0; i < rule.binding_count; ++i) {
    const VariableId id = s_.bindings[rule.first_binding + i];
    ir::Parameter parameter;
    if (bind_parameter(id, cell, parameter)) {
      parameters_.push(parameter);
      instances = std::min<u64>(instances * parameter.count, limits::kSteps + u64{1});
    }
    cell += std::max(type(variable(id).type).leaves, 1u);
  }
  out.parameter_count = parameters_.size() - out.first_parameter;
  out.step_count = static_cast<u32>(instances);
  return cell;
}

// Aliases, and elements that have to be there; else it goes to `off`.
void Lowering::bind_names(const murphi::Rule& rule, Label& off) {
  for (u32 i = 0; i < rule.binding_count; ++i) {
    const VariableId id = s_.bindings[rule.first_binding + i];
    const murphi::Variable& v = variable(id);
    if (v.role == Role::alias) bind_alias(id);
    if (v.role == Role::choice) jump_if_free(slot_of(place(v.value), cells_[id], v.place), off);
  }
}

void Lowering::lower_rule(const murphi::Rule& rule, ir::Rule& out) {
  const u32 cell = bind_parameters(rule, out);
  code_.begin_body(cell);
  end_ = {};
  Label off;
  bind_names(rule, off);
  if (rule.guard != kNone) branch(rule.guard, off, false);
  code_.emit({.op = BodyOp::begin});
  if (rule.frame_leaves != 0) {
    const u32 top = code_.top();
    fill({.local = true}, 0, rule.frame_leaves, constant(ir::kUndefined));
    code_.give_back(top);
  }
  statements(rule.body);
  code_.bind(end_);
  sort_multisets();
  code_.emit({.op = BodyOp::end});
  code_.bind(off);
  for (u32 asked = out.parameter_count + 1; asked-- > 0;)
    code_.emit({.op = BodyOp::disabled, .a = asked});
  most_cells_ = std::max(most_cells_, code_.cells());
}

void Lowering::sort_multisets() {
  for (u32 i = 0; i < s_.variables.size(); ++i) {
    const murphi::Variable& v = s_.variables[i];
    if (v.role == Role::global && type(v.type).has_multiset) sort_multisets(v.type, v.leaf);
  }
}

void Lowering::sort_multisets(TypeId id, u32 leaf) {
  const murphi::Type& t = type(id);
  if (!t.has_multiset) return;
  if (t.kind == TypeKind::multiset) {
    if (type(t.element).has_multiset) refuse(t.place, "a multiset of multisets");
    code_.emit({.op = BodyOp::sort, .a = leaf, .b = t.count, .c = type(t.element).leaves + 1});
  } else if (t.kind == TypeKind::record) {
    for (u32 i = 0; i < t.count; ++i) {
      const murphi::Field& f = s_.fields[t.first + i];
      sort_multisets(f.type, leaf + f.leaf);
    }
  } else if (t.kind == TypeKind::array) {
    const u32 stride = type(t.element).leaves;
    for (u32 k = 0; k * stride < t.leaves; ++k) sort_multisets(t.element, leaf + k * stride);
  }
}

// Rulesets around a property are loops in its body, which is left when one instance is `when`.
void Lowering::property_loops(const murphi::Rule& rule, u32 at, Label& out, bool when) {
  if (at == rule.binding_count) return branch(rule.guard, out, when);
  const VariableId id = s_.bindings[rule.first_binding + at];
  const murphi::Variable& v = variable(id);
  if (v.role == Role::alias) {
    bind_alias(id);
    property_loops(rule, at + 1, out, when);
  } else if (v.role == Role::choice) {
    SlotLoop loop;
    open_slots(id, loop);
    property_loops(rule, at + 1, out, when);
    close_slots(loop);
  } else {
    Loop loop;
    open_loop(id, loop);
    property_loops(rule, at + 1, out, when);
    close_loop(loop);
  }
}

// Its value is that of all instances together, or of any of them.
u32 Lowering::lower_property(const murphi::Rule& rule, bool any) {
  u32 cell = rule.frame_leaves;
  for (u32 i = 0; i < rule.binding_count; ++i) {
    const VariableId id = s_.bindings[rule.first_binding + i];
    cells_[id] = cell;
    cell += std::max(type(variable(id).type).leaves, 1u);
  }
  code_.begin_body(cell);
  const u32 code = code_.here();
  const u32 r = constant(any ? 1 : 0);
  Label decided;
  property_loops(rule, 0, decided, any);
  set(r, any ? 0 : 1);
  code_.bind(decided);
  code_.emit({.op = BodyOp::result, .r = r});
  most_cells_ = std::max(most_cells_, code_.cells());
  return code;
}

// A property of one value of a scalarset is not one of its other values, so that no permutation of
// a state can stand for it.
void Lowering::keep_apart(const murphi::Rule& rule) {
  for (u32 i = 0; i < rule.binding_count; ++i) {
    const TypeKind kind = type(variable(s_.bindings[rule.first_binding + i]).type).kind;
    if (kind != TypeKind::scalarset && kind != TypeKind::union_of) continue;
    if (symmetric_) {
      diagnostics_.warning(rule.place.begin, rule.place.end,
                           "a liveness property of each value of a scalarset is not one of a state "
                           "and its permutations: there is no symmetry reduction");
    }
    symmetric_ = false;
  }
}

// Each instance is a property of its own.
void Lowering::lower_liveness(const murphi::Rule& rule) {
  keep_apart(rule);
  ir::Rule out;
  const u32 cell = bind_parameters(rule, out);
  code_.begin_body(cell);
  const u32 r = constant(0);
  Label no;
  bind_names(rule, no);
  branch(rule.guard, no, false);
  set(r, 1);
  code_.bind(no);
  code_.emit({.op = BodyOp::result, .r = r});
  most_cells_ = std::max(most_cells_, code_.cells());
  liveness_.push(out);
}

// Of the command line; its quantifiers have leaves of no frame, which begin at 0.
u32 Lowering::asked_cells() const {
  u32 fixed = 0;
  for (u32 i = 0; i < s_.variables.size(); ++i) {
    const murphi::Variable& v = s_.variables[i];
    if (v.role != Role::global && v.role != Role::reference)
      fixed = std::max(fixed, v.leaf + std::max(type(v.type).leaves, 1u));
  }
  return fixed;
}

u32 Lowering::lower_condition(ExprId condition) {
  code_.begin_body(asked_cells());
  const u32 code = code_.here();
  code_.emit({.op = BodyOp::result, .r = value(condition)});
  most_cells_ = std::max(most_cells_, code_.cells());
  return code;
}

// Covers have one bit each; those of statements, which are lowered among rules, have no body.
u32 Lowering::add_cover(std::string_view name, Span place, u32 code) {
  if (covers_.size() == limits::kMarks) {
    diagnostics_.error(place.begin, place.end, "more than %u covers (limit kMarks)",
                       limits::kMarks);
    return 0;
  }
  cover_places_[covers_.size()] = {name, place};
  return covers_.push(code);
}

// Predicates of the command line come first, and their code comes last: that of the model is the
// same without them.
void Lowering::lower_rules() {
  for (const AutomatonShape::Alarm& alarm : shape_.alarms) {
    predicates_.push(
        {.kind = PredicateText::Kind::bad_prefix, .process = 0, .location = alarm.location});
  }
  if (request_.reach != kNone) predicates_.push({.kind = PredicateText::Kind::goal});
  if (request_.invariant != kNone) predicates_.push({.kind = PredicateText::Kind::invariant});
  p_.asked_predicates = predicates_.size();
  for (u32 i = 0; i < s_.rules.size(); ++i) {
    const murphi::Rule& rule = s_.rules[i];
    ir::Rule out;
    switch (rule.kind) {
      case murphi::RuleKind::rule:
        lower_rule(rule, out);
        rules_.push(out);
        break;
      case murphi::RuleKind::startstate:
        lower_rule(rule, out);
        starts_.push(out);
        break;
      case murphi::RuleKind::invariant:
        predicates_.push(
            {.kind = PredicateText::Kind::invariant, .condition = lower_property(rule, false)});
        break;
      case murphi::RuleKind::assume:
        assumptions_.push(lower_property(rule, false));
        break;
      case murphi::RuleKind::cover:
        add_cover(rule.name, expr(rule.guard).place, lower_property(rule, true));
        break;
      case murphi::RuleKind::liveness:
        // A formula is checked instead.
        if (request_.automaton == nullptr) lower_liveness(rule);
        break;
    }
  }
  p_.model_actions = code_.here();
  lower_automaton();
  u32 next = static_cast<u32>(shape_.alarms.size());
  for (const ExprId condition : {request_.reach, request_.invariant}) {
    if (condition != kNone) predicates_[next++].condition = lower_condition(condition);
  }
}

}  // namespace xmc::murphi_lower
