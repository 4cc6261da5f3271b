#include "lower/promela/move/events.h"

#include "lower/promela/expr/references.h"
#include "xmc/check.h"

namespace xmc::promela_lower {

using ir::Failure;

namespace {

bool is_of_kind(const Action& a, bool is_send) { return (a.kind == ActionKind::send) == is_send; }

// Whether it can be about that channel; and the channels that it can be about.
bool fits(const Writer& w, const Action& a, const Event& event, promela::Numbers& numbers) {
  if (!is_of_kind(a, event.is_send)) return false;
  numbers = w.facts.channel(kNone, kNone, a.channel);
  return numbers.contains(event.channel.number);
}

// To `no` unless a message is the one that an event of the trace is about.
void jump_unless_event(Writer& w, const Scope& nobody, const Action& a, const Event& event,
                       Label& no) {
  const i64 channel = event.channel.number;
  jump_unless_equal(w, value(w, nobody, a.channel), known(channel), no);
  for (u32 i = 0; i < a.count && i < event.fields.size(); ++i) {
    ExprId wanted = kNone;
    if (a.kind == ActionKind::receive) {
      const Pattern& pattern = w.s.patterns[a.first + i];
      if (pattern.kind == PatternKind::match) wanted = pattern.value;
    } else {
      const ExprId id = w.s.arguments[a.first + i];
      if (w.s.expressions[id].op == Op::literal) wanted = id;
    }
    if (wanted != kNone) jump_unless_equal(w, event.fields[i], value(w, nobody, wanted), no);
  }
}

// To `no` unless the trace names such events of the channel somewhere.
void jump_unless_followed(Writer& w, const Scope& nobody, const Event& event, Label& no) {
  const promela::Proctype& trace = w.s.proctypes[w.s.trace];
  Label yes;
  for (u32 i = 0; i < trace.place_count; ++i) {
    const promela::Place& place = w.s.places[trace.first_place + i];
    for (u32 k = 0; k < place.option_count; ++k) {
      const Action& a = w.s.actions[w.s.options[place.first_option + k].action];
      promela::Numbers numbers;
      if (!fits(w, a, event, numbers)) continue;
      if (numbers.count() == 1) return w.code.bind(yes);
      Label other;
      const u32 top = w.code.top();
      const i64 channel = event.channel.number;
      jump_unless_equal(w, value(w, nobody, a.channel), known(channel), other);
      w.code.jump(BodyOp::jump, 0, yes);
      w.code.bind(other);
      w.code.give_back(top);
    }
  }
  w.code.jump(BodyOp::jump, 0, no);
  w.code.bind(yes);
}

// The trace is wrong: it goes where it must not, or nowhere.
void blame(Writer& w, const Step& step, Failure failure, Span where) {
  w.code.emit({.op = BodyOp::blame,
               .reason = static_cast<u8>(failure),
               .note = note(w, where),
               .a = step.label});
}

// Falls through where the trace has no such event at this place. No other one may fit.
void trace_place(Writer& w, const Step& step, PlaceId id, const Event& event, Label& end) {
  const Scope nobody = step.scope.of_nobody();
  const promela::Place& place = w.s.places[id];
  for (u32 i = 0; i < place.option_count; ++i) {
    const Action& a = w.s.actions[w.s.options[place.first_option + i].action];
    promela::Numbers numbers;
    if (!fits(w, a, event, numbers)) continue;
    Label next;
    const u32 top = w.code.top();
    jump_unless_event(w, nobody, a, event, next);
    for (u32 k = i + 1; k < place.option_count; ++k) {
      const Action& other = w.s.actions[w.s.options[place.first_option + k].action];
      if (!fits(w, other, event, numbers)) continue;
      Label differs;
      jump_unless_event(w, nobody, other, event, differs);
      fail(w, Failure::unclear_event, event.where);
      w.code.bind(differs);
    }
    write_leaf(w, {w.slots.trace(), kNone}, known(w.slots.trace_code(a.next)));
    if (w.s.is_forbidden && w.s.places[a.next].is_last)
      blame(w, step, Failure::forbidden_trace, event.where);
    w.code.jump(BodyOp::jump, 0, end);
    w.code.bind(next);
    w.code.give_back(top);
  }
}

}  // namespace

void follow_event(Writer& w, const Step& step, const Event& event) {
  if (w.s.trace == kNone || step.is_test()) return;
  XMC_CHECK(step.scope.begun);
  const promela::Proctype& trace = w.s.proctypes[w.s.trace];
  Label end;
  Label no;
  const u32 top = w.code.top();
  jump_unless_followed(w, step.scope.of_nobody(), event, end);
  const u32 at = in_register(w, load_leaf(w, w.slots.trace()));
  const u32 first = w.code.targets();
  w.code.jump_table(at, w.slots.trace_places());
  const u32 none = w.code.enter();
  w.code.add_targets(w.slots.trace_places(), none);
  w.code.jump(BodyOp::jump, 0, no);
  for (u32 i = 0; i < trace.place_count; ++i) {
    const PlaceId id = trace.first_place + i;
    if (w.slots.trace_code(id) == kNone || w.s.places[id].is_last) continue;
    w.code.set_target(first + w.slots.trace_code(id), w.code.enter());
    trace_place(w, step, id, event, end);
    w.code.jump(BodyOp::jump, 0, no);
  }
  w.code.bind(no);
  if (w.s.is_forbidden) {
    // It stays at its end: only the first try counts.
    write_leaf(w, {w.slots.trace(), kNone}, known(w.slots.trace_code(trace.first_place)));
  } else {
    blame(w, step, Failure::no_event, event.where);
  }
  w.code.bind(end);
  w.code.give_back(top);
}

Value trace_ends(Writer& w) {
  const promela::Proctype& trace = w.s.proctypes[w.s.trace];
  const u32 out = constant(w, 0);
  Label end;
  const u32 at = in_register(w, load_leaf(w, w.slots.trace()));
  const u32 first = w.code.targets();
  w.code.jump_table(at, w.slots.trace_places());
  const u32 stop = w.code.enter();
  w.code.add_targets(w.slots.trace_places(), stop);
  w.code.jump(BodyOp::jump, 0, end);
  const u32 well = w.code.enter();
  set(w, out, 1);
  w.code.bind(end);
  for (u32 i = 0; i < trace.place_count; ++i) {
    const PlaceId id = trace.first_place + i;
    if (w.slots.trace_code(id) != kNone && w.s.places[id].is_valid_end)
      w.code.set_target(first + w.slots.trace_code(id), well);
  }
  return {out, ir::kTruth};
}

}  // namespace xmc::promela_lower
