#include "lower/promela/move/moves.h"

#include <algorithm>

#include "lower/promela/expr/channels.h"
#include "lower/promela/expr/creation.h"
#include "lower/promela/expr/processes.h"
#include "lower/promela/expr/references.h"
#include "lower/promela/move/messages.h"
#include "lower/promela/move/rendezvous.h"
#include "lower/promela/move/statements.h"
#include "lower/promela/move/tests.h"

namespace xmc::promela_lower {

namespace {

// Registers of the body of a slot that stay while its options are tried.
constexpr u32 kTimeoutCell = 0;
constexpr u32 kDoneCell = 1;    // some option was executable: `else` is not
constexpr u32 kEscapeCell = 2;  // the escape of the last one that was
constexpr u32 kFixedCells = 3;

bool is_provided(const Writer& w, const Slot& slot) {
  for (u32 i = 0; i < slot.type_count; ++i) {
    if (w.s.proctypes[w.slots.type(slot.first_type + i).proctype].provided != kNone) return true;
  }
  return false;
}

// The process has moved on unless it died.
void finish(Writer& w, const Step& step, const Action& a) {
  if (a.kind != ActionKind::die) move_to(w, step.scope.slot, step.scope.place, a.next);
  yield(w, step, a.keeps_control);
}

// What else depends on it: `else`, and options of other escapes.
void note_taken(Writer& w, const Step& step, const Option& o) {
  if (step.done != kNone) set(w, step.done, 1);
  if (step.escape != kNone) set(w, step.escape, o.escape);
}

// With one of the channels that it may be about.
u32 one_message(Writer& w, Step& step, const Option& o, const ChannelChoice& c,
                const SharedCode& shared, Label& next) {
  const Action& a = w.s.actions[o.action];
  if (a.kind == ActionKind::send && w.s.channels[c.form].capacity == 0)
    return rendezvous(w, step, o, a, c, shared);
  if (a.kind == ActionKind::send) {
    send(w, step, a, c, next);
  } else {
    receive(w, step, a, c, next);
  }
  begin_step(w, step);
  finish(w, step, a);
  note_taken(w, step, o);
  return 1;
}

// A send or receive, with each channel that it may be about.
u32 message_option(Writer& w, Step step, const Option& o, SharedCode shared, Label& next) {
  const ExprId channel = w.s.actions[o.action].channel;
  promela::Numbers numbers;
  const Value number = channel_number(w, step.scope, channel, numbers);
  shared.channel.last = w.code.here();
  bool is_decided = false;
  bool is_first = true;
  u32 most = 0;
  for_choices(w.slots, numbers, [&](const ChannelChoice& c) {
    Label other;
    const u32 top = w.code.top();
    if (!is_first) attempt(w, step, step.label, next);
    is_first = false;
    is_decided = is_decided || is_sure(number, c);
    shared.choice = w.code.here();
    jump_unless(w, number, c, other);
    most = std::max(most, one_message(w, step, o, c, shared, next));
    w.code.jump(BodyOp::jump, 0, next);
    w.code.bind(other);
    w.code.give_back(top);
  });
  if (is_decided) return most;
  if (!is_first) attempt(w, step, step.label, next);
  fail_without_channel(w, numbers, channel);
  return most;
}

// How many successors it makes at most; so do those below.
u32 lower_option(Writer& w, Step step, const Option& o, u32 place_code) {
  const Action& a = w.s.actions[o.action];
  Label next;
  const u32 top = w.code.top();
  const u32 first = w.code.here();
  if (a.kind == ActionKind::otherwise) w.code.jump(BodyOp::jump_not_zero, step.done, next);
  const u32 own = step_label(w, step, {step.scope.type, o.action});
  attempt(w, step, own, next);
  u32 successors = 1;
  if (a.kind == ActionKind::send || a.kind == ActionKind::receive) {
    const SharedCode shared{.place = place_code, .channel = {first, first}};
    successors = message_option(w, step, o, shared, next);
  } else {
    basic(w, step, a, next);
    finish(w, step, a);
    note_taken(w, step, o);
  }
  w.code.bind(next);
  w.code.give_back(top);
  StepRegion region;
  region.label = own;
  region.slot = step.scope.slot;
  region.place = step.scope.place;
  region.action = o.action;
  region.own = {first, w.code.here()};
  region.place_code = place_code;
  w.log.region(region);
  return successors;
}

u32 lower_place(Writer& w, Step step, PlaceId id, Label& end) {
  const promela::Place& place = w.s.places[id];
  bool has_else = false;
  bool has_escapes = false;
  for (u32 i = 0; i < place.option_count; ++i) {
    const Option& o = w.s.options[place.first_option + i];
    has_else = has_else || w.s.actions[o.action].kind == ActionKind::otherwise;
    has_escapes = has_escapes || o.escape != 0;
  }
  step.scope.place = id;
  if (!has_else) step.done = kNone;
  if (!has_escapes) step.escape = kNone;
  const u32 place_code = w.code.here();
  if (has_else) set(w, step.done, 0);
  if (has_escapes) set(w, step.escape, 0);
  u32 successors = 0;
  for (u32 i = 0; i < place.option_count; ++i) {
    const Option& o = w.s.options[place.first_option + i];
    const bool is_other = i != 0 && o.escape != w.s.options[place.first_option + i - 1].escape;
    if (has_escapes && is_other) leave_escape(w, step.escape, o.escape, end);
    successors += lower_option(w, step, o, place_code);
  }
  w.code.jump(BodyOp::jump, 0, end);
  return successors;
}

void lower_slot(Writer& w, u32 q) {
  w.code.begin_body(kFixedCells);
  const u32 timeout = w.layout.uses_timeout ? kTimeoutCell : kNone;
  const Step step{.scope = {.timeout = timeout}, .done = kDoneCell, .escape = kEscapeCell};
  Label end;
  if (w.s.uses_priorities) yield_to_higher(w, q, timeout, end);
  w.totals.successors += lower_options(w, step, q, end);
  w.code.bind(end);
  w.code.emit({.op = BodyOp::disabled});
  end_body(w);
}

}  // namespace

void jump_unless_provided(Writer& w, const Scope& scope, u32 q, Label& no) {
  const Slot& slot = w.slots.slot(q);
  for (u32 i = 0; i < slot.type_count; ++i) {
    const u32 index = slot.first_type + i;
    const SlotType& type = w.slots.type(index);
    const ExprId condition = w.s.proctypes[type.proctype].provided;
    if (condition == kNone) continue;
    Label other;
    const u32 top = w.code.top();
    jump_unless(w, type, other);
    branch(w, scope.of(index, type), condition, no, false);
    w.code.bind(other);
    w.code.give_back(top);
  }
}

void leave_escape(Writer& w, u32 last, u32 escape, Label& end) {
  Label go_on;
  w.code.jump(BodyOp::jump_zero, last, go_on);
  const u32 top = w.code.top();
  jump_unless_is(w, {last, {}}, escape, end);
  w.code.give_back(top);
  w.code.bind(go_on);
}

u32 lower_options(Writer& w, const Step& step, u32 q, Label& end) {
  const Slot& slot = w.slots.slot(q);
  Step own = step;
  if (is_provided(w, slot)) {
    const u32 before = w.code.here();
    attempt(w, own, step_label(w, own, {slot.first_type}), end);
    jump_unless_provided(w, own.scope, q, end);
    w.log.provided(q, {before, w.code.here()});
  }
  const u32 place = load_place(w, q);
  const u32 first = w.code.targets();
  w.code.jump_table(place, slot.codes);
  w.code.add_targets(slot.codes, w.code.enter());
  w.code.jump(BodyOp::jump, 0, end);
  u32 most = 0;
  for (u32 i = 0; i < slot.type_count; ++i) {
    const u32 index = slot.first_type + i;
    const SlotType& there = w.slots.type(index);
    const promela::Proctype& type = w.s.proctypes[there.proctype];
    own.scope = own.scope.of(index, there);
    for (u32 k = 0; k < type.place_count; ++k) {
      const u32 code = w.slots.code(q, type.first_place + k);
      if (code == 0) continue;
      w.code.set_target(first + code, w.code.enter());
      most = std::max(most, lower_place(w, own, type.first_place + k, end));
    }
  }
  return most;
}

namespace {

// The same rules once more.
void add_rules(const Writer& w, u32 timeout, i32 priority, Pool<ir::Rule, 5, 64>& rules,
               Pool<ir::Parameter, 5, 64>& parameters) {
  for (u32 i = 0; i < w.slots.count(); ++i) {
    ir::Rule rule = rules[i];
    rule.first_parameter = parameters.size();
    rule.priority = priority;
    if (w.layout.uses_timeout)
      parameters.push({.cell = kTimeoutCell, .low = static_cast<i32>(timeout)});
    rule.parameter_count = parameters.size() - rule.first_parameter;
    if (priority == 0) {
      rules[i] = rule;
    } else {
      rules.push(rule);
    }
  }
}

}  // namespace

// Where no process can move, all are asked again with `timeout`. Who keeps control yields to a
// higher priority, too.
void lower_moves(Writer& w, Pool<ir::Rule, 5, 64>& rules, Pool<ir::Parameter, 5, 64>& parameters) {
  for (u32 q = w.slots.count(); q-- > 0;) {
    ir::Rule rule;
    rule.code = w.code.here();
    rule.first_step = w.words.count();
    lower_slot(w, q);
    rules.push(rule);
  }
  add_rules(w, 0, 0, rules, parameters);
  if (w.layout.uses_timeout) add_rules(w, 1, 1, rules, parameters);
}

ir::Rule lower_start(Writer& w) {
  ir::Rule rule;
  rule.code = w.code.here();
  w.code.begin_body(0);
  Step step;
  begin_step(w, step);
  initial_globals(w, step.scope);
  u32 q = 0;
  for (u32 t = 0; t < w.s.proctypes.size(); ++t) {
    const promela::Proctype& type = w.s.proctypes[t];
    for (u32 i = 0; i < type.active; ++i, ++q) {
      if (q >= w.slots.count()) {
        fail(w, ir::Failure::too_many_processes, type.place);
        continue;
      }
      create(w, step.scope, q, t, {}, type.priority);
    }
  }
  w.code.emit({.op = BodyOp::end});
  end_body(w);
  return rule;
}

}  // namespace xmc::promela_lower
