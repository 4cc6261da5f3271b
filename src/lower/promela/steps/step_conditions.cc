#include "lower/promela/steps/step_conditions.h"

namespace xmc::promela_lower {

using ir::Condition;
using ir::Interval;
using promela::Action;
using promela::ActionKind;
using promela::PlaceId;

bool StepConditions::is_constant(promela::ExprId id, u32 slot, PlaceId place, i32& value) const {
  const promela::Expr& e = s_.expressions[id];
  value = e.value;
  if (e.op == promela::Op::literal) return true;
  if (e.op == promela::Op::own_pid) {
    value = static_cast<i32>(slot);
    return true;
  }
  const Interval proved = facts_.value(slot, place, id);
  if (!proved.single()) return false;
  value = proved.lo;
  return true;
}

u32 StepConditions::length_of(promela::ExprId channel, u32 slot, PlaceId place) const {
  const promela::Numbers numbers = facts_.channel(slot, place, channel);
  const u32 n = numbers.next(0);
  if (numbers.count() != 1 || n == 0 || n > slots_.static_channels()) return kNone;
  return slots_.channel(n).length;
}

// Of a value that is one leaf.
u32 StepConditions::leaf_of(promela::ExprId id, u32 slot, PlaceId place) const {
  const promela::Expr& e = s_.expressions[id];
  if (e.op == promela::Op::length) return length_of(e.a, slot, place);
  if (e.op != promela::Op::load) return kNone;
  const promela::Reference& r = s_.references[e.a];
  u32 leaf = r.leaf;
  for (u32 i = 0; i < r.index_count; ++i) {
    const promela::Index& index = s_.indexes[r.first_index + i];
    i32 at = 0;
    if (!is_constant(index.value, slot, place, at) || at < 0 || static_cast<u32>(at) >= index.bound)
      return kNone;
    leaf += static_cast<u32>(at) * index.stride;
  }
  if (r.scope == promela::Scope::global) return leaf;
  if (r.scope != promela::Scope::local) return kNone;
  return slots_.cell(slots_.type(slots_.find_type(slot, slots_.proctype_of(place))), leaf);
}

u32 StepConditions::compared(u32 leaf, ir::Op op, i32 value) {
  return f_.conditions.push(
      {.kind = Condition::Kind::compare, .op = op, .cell = cells_[leaf], .value = value});
}

// Of two values, one of them a constant; kNone else.
u32 StepConditions::compare(promela::ExprId id, bool truth, u32 slot, PlaceId place) {
  using promela::Op;
  const promela::Expr& e = s_.expressions[id];
  ir::Op op = ir::Op::equal;
  switch (e.op) {
    case Op::less:
      op = ir::Op::less;
      break;
    case Op::less_equal:
      op = ir::Op::less_equal;
      break;
    case Op::greater:
      op = ir::Op::greater;
      break;
    case Op::greater_equal:
      op = ir::Op::greater_equal;
      break;
    case Op::equal:
      break;
    case Op::not_equal:
      op = ir::Op::not_equal;
      break;
    default:
      return kNone;
  }
  if (!truth) op = ir::negate_comparison(op);
  i32 value = 0;
  u32 leaf = leaf_of(e.a, slot, place);
  if (leaf != kNone && is_constant(e.b, slot, place, value)) return compared(leaf, op, value);
  leaf = leaf_of(e.b, slot, place);
  if (leaf == kNone || !is_constant(e.a, slot, place, value)) return kNone;
  return compared(leaf, ir::mirror_comparison(op), value);
}

u32 StepConditions::make(promela::ExprId id, bool truth, u32 slot, PlaceId place) {
  using promela::Op;
  const promela::Expr& e = s_.expressions[id];
  i32 value = 0;
  if (is_constant(id, slot, place, value))
    return f_.conditions.push({.value = (value != 0) == truth ? 1 : 0});
  switch (e.op) {
    case Op::logical_not:
      return make(e.a, !truth, slot, place);
    case Op::logical_and:
    case Op::logical_or: {
      const u32 a = make(e.a, truth, slot, place);
      const u32 b = a == kNone ? kNone : make(e.b, truth, slot, place);
      if (b == kNone) return kNone;
      const bool all = (e.op == Op::logical_and) == truth;
      const u32 first = f_.parts.push(a);
      f_.parts.push(b);
      const auto kind = all ? Condition::Kind::all_of : Condition::Kind::any_of;
      return f_.conditions.push({.kind = kind, .first = first, .count = 2});
    }
    case Op::load: {
      const u32 leaf = leaf_of(id, slot, place);
      if (leaf == kNone) return kNone;
      return compared(leaf, truth ? ir::Op::not_equal : ir::Op::equal, 0);
    }
    case Op::is_empty:
    case Op::is_not_empty: {
      const u32 leaf = length_of(e.a, slot, place);
      if (leaf == kNone) return kNone;
      const bool empty = (e.op == Op::is_empty) == truth;
      return compared(leaf, empty ? ir::Op::equal : ir::Op::greater, 0);
    }
    default:
      return compare(id, truth, slot, place);
  }
}

bool asks_timeout(const promela::System& s, promela::ExprId id) {
  const promela::Expr& e = s.expressions[id];
  if (e.op == promela::Op::timeout) return true;
  return e.op == promela::Op::logical_and && (asks_timeout(s, e.a) || asks_timeout(s, e.b));
}

namespace {

bool asks_channels(const promela::System& s, const promela::Reference& r);

bool asks_channels(const promela::System& s, promela::ExprId id) {
  using promela::Op;
  if (id == kNone) return false;
  const promela::Expr& e = s.expressions[id];
  switch (e.op) {
    case Op::literal:
    case Op::own_pid:
    case Op::process_count:
      return false;
    case Op::load:
      return asks_channels(s, s.references[e.a]);
    case Op::negate:
    case Op::bit_not:
    case Op::logical_not:
      return asks_channels(s, e.a);
    case Op::conditional:
      return asks_channels(s, e.a) || asks_channels(s, e.b) || asks_channels(s, e.c);
    default:
      if (e.op < Op::multiply || e.op > Op::logical_or) return true;
      return asks_channels(s, e.a) || asks_channels(s, e.b);
  }
}

bool asks_channels(const promela::System& s, const promela::Reference& r) {
  for (u32 i = 0; i < r.index_count; ++i) {
    if (asks_channels(s, s.indexes[r.first_index + i].value)) return true;
  }
  return asks_channels(s, r.pid);
}

}  // namespace

bool asks_channels(const promela::System& s, const Action& a) {
  if (asks_channels(s, a.channel)) return true;
  for (u32 i = 0; i < a.count; ++i) {
    if (a.kind == ActionKind::send) {
      if (asks_channels(s, s.arguments[a.first + i])) return true;
      continue;
    }
    const promela::Pattern& pattern = s.patterns[a.first + i];
    if (asks_channels(s, pattern.value)) return true;
    if (pattern.target != kNone && asks_channels(s, s.references[pattern.target])) return true;
  }
  return false;
}

bool has_escapes(const promela::System& s, PlaceId place) {
  const promela::Place& at = s.places[place];
  for (u32 i = 0; i < at.option_count; ++i) {
    if (s.options[at.first_option + i].escape != 0) return true;
  }
  return false;
}

}  // namespace xmc::promela_lower
