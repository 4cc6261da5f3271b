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

void StepFinder::wait_for_condition(promela::ExprId id, u32 slot, PlaceId place) {
  const promela::Expr& e = s_.expressions[id];
  if (e.op == promela::Op::logical_and) {
    wait_for_condition(e.a, slot, place);
    return wait_for_condition(e.b, slot, place);
  }
  i32 value = 0;
  if (conditions_.is_constant(id, slot, place, value) && value != 0) return;
  const u32 condition = conditions_.make(id, true, slot, place);
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
      if (asks_timeout(s_, a.value)) timeout_ = Timeout::strict;
      if (seen_.can_fail) {
        has_rest_ = true;
      } else {
        wait_for_condition(a.value, r.slot, place);
      }
      return;
    case ActionKind::send:
    case ActionKind::receive: {
      const u32 length = conditions_.length_of(a.channel, r.slot, place);
      if (length == kNone || seen_.can_fail || yields(r) != 1) {
        has_rest_ = true;
        return;
      }
      const bool is_end = (!a.is_special && !asks_channels(s_, a)) || f_.forgets_heads;
      if (is_end && &a == &s_.actions[r.action]) channel_ = length_of_[length];
      if (a.kind == ActionKind::send) {
        const u32 form = slots_.form(slots_.channel(length_of_[length]), 0);
        const i32 capacity = static_cast<i32>(s_.channels[form].capacity);
        return conjunct(conditions_.compared(length, ir::Op::less, capacity));
      }
      conjunct(conditions_.compared(length, ir::Op::greater, 0));
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

// Of all that was read so far.
void StepFinder::wait_for_rest(u32 first_read) {
  if (timeout_ != Timeout::no)
    return conjunct(f_.conditions.push({.kind = Condition::Kind::quiet}));
  if (!has_rest_) return;
  const u32 first = f_.inputs.size();
  for (u32 i = first_read; i < f_.reads.size() && !is_full(); ++i) {
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
  if (a.kind == ActionKind::otherwise || has_escapes(s_, r.place)) {
    has_rest_ = true;
    seen_.add(scan_.scan_reads({r.place_code, own_first}));
  }
  if (seen_.reads_timeout && timeout_ == Timeout::no) timeout_ = Timeout::some;
}

}  // namespace xmc::promela_lower
