#include "lower/failures.h"

#include "ir/interval.h"

namespace xmc {

namespace {

using ir::Interval;
using ir::Op;

Interval table_range(const ir::Table& table) {
  Interval all;
  for (const i32 v : table.values) all = ir::join(all, {v, v});
  return all;
}

// The range of one expression from those of its operands; sets its check and may_fail.
Interval judge(ir::Program& p, ir::Expr& e, std::span<const Interval> value) {
  e.may_fail = e.check = false;
  switch (e.op) {
    case Op::constant:
      return {static_cast<i32>(e.a), static_cast<i32>(e.a)};
    case Op::at:
      return ir::kTruth;
    case Op::load:
      return {p.variables[e.a].lo, p.variables[e.a].hi};
    case Op::element:
    case Op::table: {
      const bool table = e.op == Op::table;
      const u64 size = table ? p.tables[e.a].values.size() : p.variables[e.a].size;
      e.check = !value[e.b].inside(0, static_cast<i32>(size) - 1);
      e.may_fail = e.check || p.exprs[e.b].may_fail;
      if (table) return table_range(p.tables[e.a]);
      return {p.variables[e.a].lo, p.variables[e.a].hi};
    }
    default:
      break;
  }
  if (ir::is_unary(e.op)) {
    e.may_fail = p.exprs[e.a].may_fail;
    return ir::apply_unary(e.op, value[e.a]);
  }
  e.check = (e.op == Op::divide || e.op == Op::modulo) && value[e.b].contains(0);
  e.may_fail = e.check || p.exprs[e.a].may_fail || p.exprs[e.b].may_fail;
  return ir::apply_binary(e.op, value[e.a], value[e.b]);
}

bool fails(const ir::Program& p, ir::ExprId id) { return id != kNone && p.exprs[id].may_fail; }

bool fails(const ir::Program& p, const ir::Target& t) {
  return t.check_index || t.check_value || fails(p, t.index);
}

bool fails(const ir::Program& p, const ir::Transition& t) {
  if (fails(p, t.guard)) return true;
  for (u32 k = 0; k < t.value_count; ++k) {
    const u32 at = t.first_value + k;
    if (t.sync == ir::Sync::send ? fails(p, p.sent[at]) : fails(p, p.received[at])) return true;
  }
  for (u32 k = 0; k < t.assignment_count; ++k) {
    const ir::Assignment& a = p.assignments[t.first_assignment + k];
    if (fails(p, a.target) || fails(p, a.value)) return true;
  }
  return false;
}

bool alive(const ir::Program& p, const ir::Transition& t) {
  return (ir::flags_of(p, t.process, t.source) & ir::kReachable) != 0;
}

}  // namespace

bool mark_failures(ir::Program& p, Arena& arena) {
  const u64 mark = arena.scratch_mark();
  const u64 bytes = p.exprs.size() * sizeof(Interval);
  const std::span<Interval> value(
      static_cast<Interval*>(arena.scratch("ranges", bytes, alignof(Interval))), p.exprs.size());
  for (u32 i = 0; i < p.exprs.size(); ++i) value[i] = judge(p, p.exprs[i], value);
  arena.scratch_release(mark);

  // A transition whose guard may raise an error stays, and with it all that could be its partner.
  for (ir::Transition& t : p.transitions) {
    if (!alive(p, t) || !fails(p, t.guard)) continue;
    t.reachable = true;
    for (ir::Transition& u : p.transitions) {
      if (t.sync != ir::Sync::none && u.channel == t.channel && alive(p, u)) u.reachable = true;
    }
  }
  for (const ir::Transition& t : p.transitions) {
    if (t.reachable && fails(p, t)) return true;
  }
  return false;
}

}  // namespace xmc
