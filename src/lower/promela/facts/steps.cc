// What the statements of a process do to its variables and to what is known of all.
#include <algorithm>

#include "lower/promela/facts/flow.h"
#include "xmc/bytes.h"

namespace xmc::promela {

using ir::Interval;

View Flow::view() {
  return {one_->slot, one_->type, work_row_.first(width_), work_.alive.hull(), &work_.alive};
}

// Whether the options in front of one leave it its turn; what that says of the row is noted.
bool Flow::passes(const Place& place, u32 option) {
  const bool is_else =
      s_.actions[s_.options[place.first_option + option].action].kind == ActionKind::otherwise;
  if (!is_else && !place.is_indivisible) return true;
  for (u32 i = 0; i < option; ++i) {
    const Action& before = s_.actions[s_.options[place.first_option + i].action];
    if (before.kind == ActionKind::always || before.kind == ActionKind::print) return false;
    if (place.is_indivisible && before.kind == ActionKind::assign) return false;
    if (before.kind != ActionKind::condition) continue;
    // What fails does not keep an `else` from its turn, but ends a d_step.
    if (!place.is_indivisible && values().may_fail(before.value)) continue;
    if (!values().refine(before.value, false)) return false;
  }
  return true;
}

void Flow::leave(u32 point) {
  Area& area = *areas_[from_];
  const PlaceId id = area[point].place;
  const Place& place = s_.places[id];
  for (u32 i = 0; i < place.option_count; ++i) {
    work_ = area[point];
    copy(work_row_.first(width_), std::span<const Interval>(area.row(point)));
    started_ = 0;
    if (!passes(place, i)) continue;
    const Action& action = s_.actions[s_.options[place.first_option + i].action];
    if (action.kind == ActionKind::indivisible) {
      outer_[action.body] = s_.options[place.first_option + i].action;
    }
    take(action);
  }
}

void Flow::take(const Action& action) {
  switch (action.kind) {
    case ActionKind::condition:
      if (!values().refine(action.value, true)) return;
      run_inside(action.value, true);
      break;
    case ActionKind::assign: {
      const Interval v = values().value(action.value);
      if (v.empty()) return;
      run_inside(action.value, true);
      run_inside(action);
      if (!store(s_.references[action.target], v)) return;
      break;
    }
    case ActionKind::assertion:
      if (values().value(action.value).empty()) return;
      run_inside(action.value, true);
      break;
    case ActionKind::send:
      return send(action);
    case ActionKind::receive:
      if (!receive(action)) return;
      break;
    case ActionKind::indivisible:
      return put(action.body);
    case ActionKind::die:
      if (contributes_ && work_.alive.contains(one_->slot + 1)) k_.note_death(*one_);
      return;
    default:
      break;
  }
  if (work_.alive.empty()) return;
  arrive(action.next, action.keeps_control);
}

// `keeps`: of the last statement. Inside a d_step that of the whole counts where it ends.
void Flow::arrive(PlaceId next, bool keeps) {
  const Place& place = s_.places[next];
  const u32 inside =
      work_.place == kNone || !s_.places[work_.place].is_indivisible ? kNone : outer_[work_.place];
  if (place.is_indivisible) {
    outer_[next] = inside;
    return put(next);
  }
  if (inside != kNone) keeps = s_.actions[inside].keeps_control;
  if (!keeps || may_block(place)) {
    tell_started();
    work_.least_started = 0;
    if (!keeps) work_.most_started = 0;
    if (one_->slot != kClaim) k_.close(work_.alive, one_->slot);
    const std::span<const u32> cells = k_.tracked[one_->type].cells;
    for (u32 i = 0; i < cells.size(); ++i) {
      if (!k_.is_owned(cells[i], id_)) work_row_[locals_ + i] = k_.global(cells[i]);
    }
  }
  put(next);
}

// Others may move while a process that has control is there.
bool Flow::may_block(const Place& place) {
  // A higher priority takes control away, too.
  if (s_.uses_priorities || s_.proctypes[one_->type].provided != kNone) return true;
  for (u32 i = 0; i < place.option_count; ++i) {
    if (is_sure(s_.actions[s_.options[place.first_option + i].action])) return false;
  }
  return true;
}

bool Flow::is_sure(const Action& action) {
  switch (action.kind) {
    case ActionKind::always:
    case ActionKind::print:
    case ActionKind::otherwise:
      return true;
    case ActionKind::condition: {
      const Interval v = values().value(action.value);
      return !v.empty() && !v.contains(0) && !values().may_fail(action.value);
    }
    case ActionKind::assertion:
      return !values().may_fail(action.value);
    case ActionKind::assign:
      return !values().may_fail(action.value) &&
             !values().index_may_fail(s_.references[action.target]);
    default:
      return false;
  }
}

bool Flow::store(const Reference& target, Interval v) {
  if (target.scope == Scope::nowhere) return true;
  Values all = values();
  Targets to;
  if (!all.resolve(target, to)) return false;
  v = cut(target.leaf_type, v);
  for (u32 i = 0; i < to.count; ++i) {
    const u32 cell = to.cells[i];
    if (contributes_ && target.scope == Scope::global) k_.join_global(cell, v, id_);
    if (contributes_ && target.scope == Scope::local) k_.join_value(*one_, cell, v);
    const u32 column = all.column(target, cell);
    if (column == kNone) continue;
    work_row_[column] = to.is_strong ? v : ir::join(work_row_[column], v);
  }
  return true;
}

// A rendezvous gives control away, whatever the sender's statement says.
void Flow::send(const Action& action) {
  run_inside(action);
  Values all = values();
  const Numbers numbers = all.channels(action.channel);
  for (u32 i = 0; i < action.count; ++i) {
    arguments_[i] = all.value(s_.arguments[action.first + i]);
    if (arguments_[i].empty()) return;
  }
  bool is_buffered = false;
  bool is_rendezvous = false;
  for (u32 n = numbers.next(1); n != kNone; n = numbers.next(n + 1)) {
    for (u32 f = 0; f < k_.form_count; ++f) {
      const ChannelForm& form = s_.channels[f];
      if (!k_.can_have_form(n, f) || form.field_count != action.count) continue;
      (form.capacity > 0 ? is_buffered : is_rendezvous) = true;
      for (u32 i = 0; i < action.count && contributes_; ++i) {
        k_.join_message(n, i, arguments_[i], s_.message_leaves[form.first_field + i]);
      }
    }
  }
  if (is_rendezvous) {
    arrive(action.next, false);
  } else if (is_buffered) {
    arrive(action.next, action.keeps_control);
  }
}

bool Flow::receive(const Action& action) {
  run_inside(action);
  Values all = values();
  const Numbers numbers = all.channels(action.channel);
  for (u32 i = 0; i < action.count; ++i) arguments_[i] = {};
  bool is_there = false;
  for (u32 n = numbers.next(1); n != kNone; n = numbers.next(n + 1)) {
    if (!all.can_carry(n, action.count)) continue;
    bool matches = true;
    for (u32 i = 0; i < action.count && matches; ++i) {
      const Pattern& pattern = s_.patterns[action.first + i];
      const Interval sent = all.message(n, i);
      matches = !sent.empty() && (pattern.kind != PatternKind::match ||
                                  !ir::meet(sent, all.value(pattern.value)).empty());
    }
    if (!matches) continue;
    is_there = true;
    for (u32 i = 0; i < action.count; ++i) {
      arguments_[i] = ir::join(arguments_[i], all.message(n, i));
    }
  }
  for (u32 i = 0; i < action.count && is_there; ++i) {
    const Pattern& pattern = s_.patterns[action.first + i];
    if (pattern.kind != PatternKind::store) continue;
    is_there = store(s_.references[pattern.target], arguments_[i]);
  }
  return is_there;
}

void Flow::run_inside(const Reference& reference) {
  for (u32 i = 0; i < reference.index_count; ++i) {
    run_inside(s_.indexes[reference.first_index + i].value, false);
  }
  if (reference.pid != kNone) run_inside(reference.pid, false);
}

// Processes that a statement adds, beside those of its value.
void Flow::run_inside(const Action& action) {
  if (has_run_[one_->type] == 0) return;
  if (action.channel != kNone) run_inside(action.channel, false);
  if (action.target != kNone) run_inside(s_.references[action.target]);
  for (u32 i = 0; i < action.count; ++i) {
    if (action.kind == ActionKind::send) run_inside(s_.arguments[action.first + i], false);
    if (action.kind != ActionKind::receive) continue;
    const Pattern& pattern = s_.patterns[action.first + i];
    if (pattern.target != kNone) run_inside(s_.references[pattern.target]);
    if (pattern.value != kNone) run_inside(pattern.value, false);
  }
}

// Processes that an expression adds; is_sure: it does so whenever it has a value.
void Flow::run_inside(ExprId id, bool is_sure) {
  if (has_run_[one_->type] == 0) return;
  const Expr& node = s_.expressions[id];
  switch (node.op) {
    case Op::run:
      return create(node, is_sure);
    case Op::load:
      return run_inside(s_.references[node.a]);
    case Op::conditional:
      run_inside(node.a, is_sure);
      run_inside(node.b, false);
      return run_inside(node.c, false);
    case Op::logical_and:
    case Op::logical_or:
      run_inside(node.a, is_sure);
      return run_inside(node.b, false);
    case Op::literal:
      return;
    default:
      if (node.op >= Op::multiply && node.op <= Op::bit_or) {
        run_inside(node.a, is_sure);
        return run_inside(node.b, is_sure);
      }
      if (node.a == kNone || node.op == Op::own_pid) return;
      run_inside(node.a, is_sure && node.op <= Op::logical_not);
      for (u32 i = 0; node.op == Op::poll && i < node.c; ++i) {
        const ExprId value = s_.patterns[node.b + i].value;
        if (value != kNone) run_inside(value, false);
      }
  }
}

void Flow::create(const Expr& node, bool is_sure) {
  Values all = values();
  const Proctype& type = s_.proctypes[node.a];
  for (u32 i = 0; i < node.c; ++i) {
    const Leaf& leaf = s_.local_leaves[type.first_leaf + i];
    arguments_[i] = cut(leaf, all.value(s_.arguments[node.b + i]));
    if (arguments_[i].empty()) work_.alive = {};
  }
  Numbers alive;
  if (!is_sure) alive = work_.alive;
  for (u32 n = work_.alive.next(0); n != kNone; n = work_.alive.next(n + 1)) {
    if (n >= k_.most_alive) {
      if (contributes_) k_.is_exceeded = true;
      continue;
    }
    alive.add(n + 1);
    if (!contributes_) continue;
    Instance& made = k_.make(n, node.a);
    k_.join_start(made, arguments_.first(node.c));
    Life& life = k_.changing(made);
    if (!life.is_run) k_.processes_changed = ++k_.clock;
    life.is_run = true;
  }
  work_.alive = alive;
  if (work_.most_started < limits::kPromelaNumbers) ++work_.most_started;
  if (is_counting_ && node.a == counted_) {
    // One that finds no slot counts, too: the bound has to show that there is none.
    ++started_;
    most_counted_ = std::max(most_counted_, u32{work_.starts} + started_);
  }
  if (is_sure && work_.least_started < limits::kPromelaNumbers) ++work_.least_started;
}

// Others can see what a chain has started.
void Flow::tell_started() {
  if (!contributes_ || work_.most_started == 0) return;
  for (u32 n = work_.alive.next(0); n != kNone; n = work_.alive.next(n + 1)) {
    const u32 least = work_.least_started > 0 ? work_.least_started : 1;
    for (u32 k = least; k <= work_.most_started && k < n; ++k) k_.note_jump(n - k, n, one_->slot);
    const u32 first = n > work_.most_started ? n - work_.most_started : 1;
    for (u32 slot = first; slot < n; ++slot) {
      for (u32 type = 0; type < k_.type_count; ++type) {
        if (k_.find(slot, type) != nullptr) k_.join_alive(k_.make(slot, type), n);
      }
    }
  }
}

}  // namespace xmc::promela
