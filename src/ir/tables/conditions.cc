#include "ir/tables/conditions.h"

namespace xmc::ir {

namespace {

Interval table_range(const Table& table) {
  Interval all;
  for (const i32 v : table.values) all = join(all, {v, v});
  return all;
}

Interval range_of(const Program& p, const Expr& e, std::span<const Interval> ranges) {
  switch (e.op) {
    case Op::constant:
      return {static_cast<i32>(e.a), static_cast<i32>(e.a)};
    case Op::at:
      return kTruth;
    case Op::load:
    case Op::element:
      return {p.variables[e.a].lo, p.variables[e.a].hi};
    case Op::table:
      return table_range(p.tables[e.a]);
    default:
      break;
  }
  if (is_unary(e.op)) return apply_unary(e.op, ranges[e.a]);
  return apply_binary(e.op, ranges[e.a], ranges[e.b]);
}

}  // namespace

ConditionMaker::ConditionMaker(const Program& program, StepFacts& facts) : p_(program), f_(facts) {
  seen_ = scratch_array<u32>(f_.arena, StepFacts::kName, p_.exprs.size());
  ranges_ = scratch_array<Interval>(f_.arena, StepFacts::kName, p_.exprs.size());
  for (u32 i = 0; i < p_.exprs.size(); ++i) ranges_[i] = range_of(p_, p_.exprs[i], ranges_);
}

bool ConditionMaker::small(ExprId id) {
  budget_ = kNodes;
  return count_nodes(id);
}

bool ConditionMaker::count_nodes(ExprId id) {
  const Expr& e = p_.exprs[id];
  if (budget_ == 0) return false;
  --budget_;
  if (is_leaf(e.op)) return true;
  if (has_index(e.op)) return count_nodes(e.b);
  return count_nodes(e.a) && (is_unary(e.op) || count_nodes(e.b));
}

u32 ConditionMaker::make(ExprId id, bool truth, bool fails) {
  if (fails || !small(id)) return opaque(id, truth);
  return node(id, truth);
}

u32 ConditionMaker::location(u32 process, u32 location) {
  return f_.conditions.push({.kind = Condition::Kind::compare,
                             .op = Op::equal,
                             .cell = f_.processes[process].location_cell,
                             .value = static_cast<i32>(location)});
}

u32 ConditionMaker::all_of(u32 a, u32 b) {
  const u32 first = f_.parts.push(a);
  f_.parts.push(b);
  return f_.conditions.push({.kind = Condition::Kind::all_of, .first = first, .count = 2});
}

u32 ConditionMaker::node(ExprId id, bool truth) {
  const Expr& e = p_.exprs[id];
  if (e.op == Op::logical_not) return node(e.a, !truth);
  if (!is_logical(e.op)) return leaf(id, truth);
  const bool all = (e.op == Op::logical_and) == truth;
  const u32 a = node(e.a, e.op == Op::imply ? !truth : truth);
  const u32 b = node(e.b, truth);
  const u32 first = f_.parts.push(a);
  f_.parts.push(b);
  return f_.conditions.push({.kind = all ? Condition::Kind::all_of : Condition::Kind::any_of,
                             .first = first,
                             .count = 2});
}

u32 ConditionMaker::leaf(ExprId id, bool truth) {
  const Expr& e = p_.exprs[id];
  if (e.op == Op::constant) return f_.conditions.push({.value = (e.a != 0) == truth ? 1 : 0});
  if (e.op == Op::at || e.op == Op::load) {
    const bool at = e.op == Op::at;
    const u32 variable = at ? p_.processes[e.a].location : e.a;
    const bool equal = at == truth;
    return f_.conditions.push({.kind = Condition::Kind::compare,
                               .op = equal ? Op::equal : Op::not_equal,
                               .cell = p_.variables[variable].first_initial + (at ? 0 : e.b),
                               .value = at ? static_cast<i32>(e.b) : 0});
  }
  if (!is_comparison(e.op)) return opaque(id, truth);
  Op op = truth ? e.op : negate_comparison(e.op);
  const Expr* left = &p_.exprs[e.a];
  const Expr* right = &p_.exprs[e.b];
  if (left->op == Op::constant) {
    std::swap(left, right);
    op = mirror_comparison(op);
  }
  if (left->op == Op::load && right->op == Op::constant) {
    return f_.conditions.push({.kind = Condition::Kind::compare,
                               .op = op,
                               .cell = p_.variables[left->a].first_initial + left->b,
                               .value = static_cast<i32>(right->a)});
  }
  return balance(id, truth ? e.op : negate_comparison(e.op));
}

u32 ConditionMaker::balance(ExprId id, Op op) {
  const Expr& e = p_.exprs[id];
  const u32 first = f_.inputs.size();
  const bool swapped = p_.exprs[e.a].op == Op::constant;
  const Expr& left = p_.exprs[swapped ? e.b : e.a];
  const Expr& right = p_.exprs[swapped ? e.a : e.b];
  const bool of_element = (op == Op::equal || op == Op::not_equal) && left.op == Op::element &&
                          right.op == Op::constant;
  if (of_element) {
    f_.inputs.push({cells_of(left.a), 1, true, static_cast<i32>(right.a)});
    all_unknown(left.b);
  } else {
    side(e.a, 1);
    side(e.b, -1);
  }
  return f_.conditions.push({.kind = Condition::Kind::balance,
                             .of_element = of_element,
                             .op = op,
                             .first = first,
                             .count = f_.inputs.size() - first,
                             .left = e.a,
                             .right = e.b});
}

// What can wrap around says nothing of its operands' directions.
void ConditionMaker::side(ExprId id, int sign) {
  const Expr& e = p_.exprs[id];
  switch (e.op) {
    case Op::constant:
      return;
    case Op::load:
      return input({p_.variables[e.a].first_initial + e.b, 1}, sign);
    case Op::at:
      f_.inputs.push({{p_.variables[p_.processes[e.a].location].first_initial, 1},
                      static_cast<i8>(sign),
                      true,
                      static_cast<i32>(e.b)});
      return;
    case Op::element:
      input(cells_of(e.a), sign);
      return all_unknown(e.b);
    case Op::add:
    case Op::subtract:
      if (range(id) == kEverything) return all_unknown(id);
      side(e.a, sign);
      return side(e.b, e.op == Op::add ? sign : -sign);
    case Op::negate:
      if (range(id) == kEverything) return all_unknown(id);
      return side(e.a, -sign);
    default:
      return all_unknown(id);
  }
}

void ConditionMaker::all_unknown(ExprId id) {
  reads(id, [&](CellRange cells) { input(cells, 0); });
}

u32 ConditionMaker::opaque(ExprId id, bool truth) {
  const u32 first = f_.inputs.size();
  all_unknown(id);
  return f_.conditions.push({.kind = Condition::Kind::opaque,
                             .negated = !truth,
                             .may_fail = p_.exprs[id].may_fail,
                             .first = first,
                             .count = f_.inputs.size() - first,
                             .left = id});
}

}  // namespace xmc::ir
