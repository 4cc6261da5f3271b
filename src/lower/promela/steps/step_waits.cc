// What a step waits for: conditions of its first statement, from the text.
#include "lower/promela/steps/step_facts.h"

namespace xmc::promela_lower {

using ir::Condition;
using ir::Interval;
using promela::Action;
using promela::ActionKind;
using promela::PlaceId;

void StepFinder::conjunct(u32 condition) {
  f_.conjunct_lists.push(f_.conjuncts.push(condition));
  ++fact_.parts.conjunct_count;
  const Condition& c = f_.conditions[condition];
  if (c.kind != Condition::Kind::compare) return;
  const Interval values = ir::restrict_left(c.op, f_.hull[c.cell], {c.value, c.value});
  if (!values.empty()) f_.before.push({c.cell, values});
}

void StepFinder::wait_at(u32 slot, PlaceId place) {
  const u32 code = slots_.code(slot, place);
  u32& at = at_[f_.processes[slot].first_location + code];
  if (at == kNone) {
    at = f_.conjuncts.push(f_.conditions.push({.kind = Condition::Kind::compare,
                                               .op = ir::Op::equal,
                                               .cell = f_.processes[slot].location_cell,
                                               .value = static_cast<i32>(code)}));
  }
  f_.conjunct_lists.push(at);
  ++fact_.parts.conjunct_count;
  const i32 value = static_cast<i32>(code);
  f_.before.push({f_.processes[slot].location_cell, {value, value}});
}

bool StepFinder::is_constant(promela::ExprId id, u32 slot, PlaceId place, i32& value) const {
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

u32 StepFinder::length_of(promela::ExprId channel, u32 slot, PlaceId place) const {
  const promela::Numbers numbers = facts_.channel(slot, place, channel);
  const u32 n = numbers.next(0);
  if (numbers.count() != 1 || n == 0 || n > slots_.static_channels()) return kNone;
  return slots_.channel(n).length;
}

// Of a value that is one leaf.
u32 StepFinder::leaf_of(promela::ExprId id, u32 slot, PlaceId place) const {
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

u32 StepFinder::compared(u32 leaf, ir::Op op, i32 value) {
  return f_.conditions.push(
      {.kind = Condition::Kind::compare, .op = op, .cell = cells_[leaf], .value = value});
}

// Of two values, one of them a constant; kNone else.
u32 StepFinder::compare(promela::ExprId id, bool truth, u32 slot, PlaceId place) {
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

// The condition that an expression is not 0, or that it is 0; kNone: it is not made of comparisons.
u32 StepFinder::make(promela::ExprId id, bool truth, u32 slot, PlaceId place) {
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

bool StepFinder::asks_timeout(promela::ExprId id) const {
  const promela::Expr& e = s_.expressions[id];
  if (e.op == promela::Op::timeout) return true;
  return e.op == promela::Op::logical_and && (asks_timeout(e.a) || asks_timeout(e.b));
}

// Whether what is sent, or received, depends on what else is in channels.
bool StepFinder::asks_channels(promela::ExprId id) const {
  using promela::Op;
  if (id == kNone) return false;
  const promela::Expr& e = s_.expressions[id];
  switch (e.op) {
    case Op::literal:
    case Op::own_pid:
    case Op::process_count:
      return false;
    case Op::load:
      return asks_channels(s_.references[e.a]);
    case Op::negate:
    case Op::bit_not:
    case Op::logical_not:
      return asks_channels(e.a);
    case Op::conditional:
      return asks_channels(e.a) || asks_channels(e.b) || asks_channels(e.c);
    default:
      if (e.op < Op::multiply || e.op > Op::logical_or) return true;
      return asks_channels(e.a) || asks_channels(e.b);
  }
}

bool StepFinder::asks_channels(const promela::Reference& r) const {
  for (u32 i = 0; i < r.index_count; ++i) {
    if (asks_channels(s_.indexes[r.first_index + i].value)) return true;
  }
  return asks_channels(r.pid);
}

bool StepFinder::asks_channels(const Action& a) const {
  if (asks_channels(a.channel)) return true;
  for (u32 i = 0; i < a.count; ++i) {
    if (a.kind == ActionKind::send) {
      if (asks_channels(s_.arguments[a.first + i])) return true;
      continue;
    }
    const promela::Pattern& pattern = s_.patterns[a.first + i];
    if (asks_channels(pattern.value)) return true;
    if (pattern.target != kNone && asks_channels(s_.references[pattern.target])) return true;
  }
  return false;
}

void StepFinder::wait_for_condition(promela::ExprId id, u32 slot, PlaceId place) {
  const promela::Expr& e = s_.expressions[id];
  if (e.op == promela::Op::logical_and) {
    wait_for_condition(e.a, slot, place);
    return wait_for_condition(e.b, slot, place);
  }
  i32 value = 0;
  if (is_constant(id, slot, place, value) && value != 0) return;
  const u32 condition = make(id, true, slot, place);
  if (condition == kNone) {
    has_rest_ = true;
  } else {
    conjunct(condition);
  }
}

// A statement that stands where the process is, or as the first one of a d_step there.
void StepFinder::wait_here(const StepRegion& r, const Action& a, PlaceId place) {
  switch (a.kind) {
    case ActionKind::condition:
      if (asks_timeout(a.value)) timeout_ = Timeout::strict;
      if (can_fail_) {
        has_rest_ = true;
      } else {
        wait_for_condition(a.value, r.slot, place);
      }
      return;
    case ActionKind::send:
    case ActionKind::receive: {
      const u32 length = length_of(a.channel, r.slot, place);
      if (length == kNone || can_fail_ || yields(r) != 1) {
        has_rest_ = true;
        return;
      }
      const bool is_end = (!a.is_special && !asks_channels(a)) || f_.forgets_heads;
      if (is_end && &a == &s_.actions[r.action]) channel_ = length_of_[length];
      if (a.kind == ActionKind::send) {
        const u32 form = slots_.form(slots_.channel(length_of_[length]), 0);
        const i32 capacity = static_cast<i32>(s_.channels[form].capacity);
        return conjunct(compared(length, ir::Op::less, capacity));
      }
      conjunct(compared(length, ir::Op::greater, 0));
      for (u32 i = 0; i < a.count; ++i) {
        const promela::Pattern& pattern = s_.patterns[a.first + i];
        has_rest_ = has_rest_ || pattern.kind == promela::PatternKind::match;
      }
      return;
    }
    case ActionKind::indivisible: {
      const promela::Place& first = s_.places[a.body];
      if (first.option_count != 1) {
        has_rest_ = true;
        return;
      }
      return wait_here(r, s_.actions[s_.options[first.first_option].action], a.body);
    }
    case ActionKind::otherwise:
    case ActionKind::die:
      has_rest_ = true;
      return;
    default:
      return;
  }
}

bool StepFinder::has_escapes(PlaceId place) const {
  const promela::Place& at = s_.places[place];
  for (u32 i = 0; i < at.option_count; ++i) {
    if (s_.options[at.first_option + i].escape != 0) return true;
  }
  return false;
}

// Of all that was read so far.
void StepFinder::wait_for_rest(u32 first_read) {
  if (timeout_ != Timeout::no)
    return conjunct(f_.conditions.push({.kind = Condition::Kind::quiet}));
  if (!has_rest_) return;
  const u32 first = f_.inputs.size();
  for (u32 i = first_read; i < f_.reads.size() && !is_full_; ++i) {
    is_full_ = is_full_ || is_long(f_.inputs);
    if (is_full_) return;
    const ir::CellRange cells = f_.reads[i];
    f_.inputs.push({cells, 0, false, 0});
  }
  conjunct(f_.conditions.push(
      {.kind = Condition::Kind::rest, .first = first, .count = f_.inputs.size() - first}));
}

void StepFinder::wait_for(const StepRegion& r) {
  wait_at(r.slot, r.place);
  if (r.partner != kNone) wait_at(r.partner, r.partner_place);
  has_rest_ = record_.provided[r.slot].last > record_.provided[r.slot].first;
  const Action& a = s_.actions[r.action];
  // Effects of all that is no plain test depend on what it waits for anyway.
  if (r.partner == kNone) {
    wait_here(r, a, r.place);
    has_rest_ = has_rest_ || a.kind == ActionKind::send || a.kind == ActionKind::receive ||
                a.kind == ActionKind::indivisible;
  } else {
    has_rest_ = true;
  }
  const u32 own_first = r.partner == kNone ? r.own.first : r.before[0].first;
  if (a.kind == ActionKind::otherwise || has_escapes(r.place)) {
    has_rest_ = true;
    scan_reads({r.place_code, own_first});
  }
  if (reads_timeout_ && timeout_ == Timeout::no) timeout_ = Timeout::some;
}

}  // namespace xmc::promela_lower
