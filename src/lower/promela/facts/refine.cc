// What the truth of an expression says of its variables, and which expressions can fail.
#include "lower/promela/facts/values.h"

namespace xmc::promela {

using ir::Interval;

namespace {

bool is_comparison(Op op) { return op >= Op::less && op <= Op::not_equal; }

ir::Op comparison(Op op) {
  return static_cast<ir::Op>(static_cast<u32>(op) - static_cast<u32>(Op::less) +
                             static_cast<u32>(ir::Op::less));
}

}  // namespace

bool Values::narrow(ExprId id, ir::Op op, Interval other) {
  const Expr& node = s_.expressions[id];
  if (node.op == Op::process_count && !has_run_ && view_.counts != nullptr) {
    Numbers& all = *view_.counts;
    for (u32 n = all.next(0); n != kNone; n = all.next(n + 1)) {
      const i32 count = static_cast<i32>(n);
      if (ir::restrict_left(op, {count, count}, other).empty()) all.remove(n);
    }
    view_.alive = all.hull();
    return !all.empty();
  }
  if (node.op != Op::load) return true;
  const Reference& reference = s_.references[node.a];
  Targets targets;
  if (reference.scope == Scope::nowhere || !resolve(reference, targets)) return true;
  const u32 at = column(reference, targets.cells[0]);
  if (!targets.is_strong || at == kNone) return true;
  view_.row[at] = ir::restrict_left(op, view_.row[at], other);
  return !view_.row[at].empty();
}

bool Values::refine(ExprId id, bool truth) {
  const Expr& node = s_.expressions[id];
  const Interval v = value(id);
  if (v.empty() || (truth ? v == Interval{0, 0} : !v.contains(0))) return false;
  switch (node.op) {
    case Op::load:
      return narrow(id, truth ? ir::Op::not_equal : ir::Op::equal, {0, 0});
    case Op::logical_not:
      return refine(node.a, !truth);
    case Op::logical_and:
      return !truth || (refine(node.a, true) && refine(node.b, true));
    case Op::logical_or:
      return truth || (refine(node.a, false) && refine(node.b, false));
    default:
      break;
  }
  if (!is_comparison(node.op)) return true;
  const ir::Op asked = comparison(node.op);
  const ir::Op op = truth ? asked : ir::negate_comparison(asked);
  const Interval a = value(node.a);
  const Interval b = value(node.b);
  if (ir::restrict_left(op, a, b).empty()) return false;
  return narrow(node.a, op, b) && narrow(node.b, ir::mirror_comparison(op), a);
}

bool Values::may_fail(ExprId id) {
  const Expr& node = s_.expressions[id];
  switch (node.op) {
    case Op::literal:
    case Op::timeout:
    case Op::own_pid:
    case Op::process_count:
    case Op::last_pid:
    case Op::own_priority:
    case Op::no_progress:
      return false;
    case Op::load:
      return index_may_fail(s_.references[node.a]);
    case Op::negate:
    case Op::bit_not:
    case Op::logical_not:
    case Op::priority_of:
      return may_fail(node.a);
    case Op::at_label:
      return node.a != kNone && may_fail(node.a);
    case Op::conditional:
      return may_fail(node.a) || may_fail(node.b) || may_fail(node.c);
    case Op::run: {
      for (u32 i = 0; i < node.c; ++i) {
        if (may_fail(s_.arguments[node.b + i])) return true;
      }
      return !processes().inside(0, static_cast<i32>(k_.most_alive) - 1) || k_.may_exceed_channels;
    }
    case Op::length:
    case Op::is_empty:
    case Op::is_not_empty:
    case Op::is_full:
    case Op::is_not_full: {
      const Interval number = value(node.a);
      return number.empty() || may_fail(node.a) ||
             !number.inside(1, static_cast<i32>(k_.static_channels));
    }
    case Op::poll:
    case Op::enabled:
      return true;
    default: {
      if (may_fail(node.a) || may_fail(node.b)) return true;
      return (node.op == Op::divide || node.op == Op::modulo) && value(node.b).contains(0);
    }
  }
}

}  // namespace xmc::promela
