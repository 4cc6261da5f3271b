#include "lower/promela/move/rendezvous.h"

#include <algorithm>

#include "lower/promela/expr/references.h"
#include "lower/promela/move/events.h"
#include "lower/promela/move/indivisible.h"
#include "lower/promela/move/messages.h"
#include "lower/promela/move/moves.h"

namespace xmc::promela_lower {

namespace {

bool may_receive(const promela::System& s, const Action& a) {
  if (a.kind == ActionKind::receive) return true;
  if (a.kind != ActionKind::indivisible) return false;
  const promela::Place& place = s.places[a.body];
  for (u32 i = 0; i < place.option_count; ++i) {
    if (s.actions[s.options[place.first_option + i].action].kind == ActionKind::receive)
      return true;
  }
  return false;
}

bool may_receive(const promela::System& s, const promela::Place& place) {
  for (u32 i = 0; i < place.option_count; ++i) {
    if (may_receive(s, s.actions[s.options[place.first_option + i].action])) return true;
  }
  return false;
}

struct Sender {
  const Step& step;
  const Option& option;
  const Action& action;
  const ChannelChoice& channel;
  std::span<const Value> values;
  CodeRange before[3];  // as of a region
  u32 place_code = 0;
};

// A receive of the partner: its option, and what takes the message, which is its statement or the
// first one of its d_step.
struct Receiver {
  const Option& option;
  const Action& whole;
  const Action& receive;
  u32 escape = kNone;  // register, as Step::escape
  u32 first = 0;       // where the options of its place begin
};

// To `no` unless the message is what the partner receives.
void jump_unless_received(Writer& w, const Scope& scope, const Sender& sender,
                          const Action& receive, Label& no) {
  const u32 sent = sender.channel.number;
  promela::Numbers numbers;
  const Value number = channel_number(w, scope, receive.channel, numbers);
  if (!numbers.contains(sent)) {
    w.code.jump(BodyOp::jump, 0, no);
  } else {
    jump_unless_equal(w, number, known(sent), no);
  }
  for (u32 i = 0; i < receive.count; ++i) {
    const Pattern& pattern = w.s.patterns[receive.first + i];
    if (pattern.kind == PatternKind::match)
      jump_unless_equal(w, sender.values[i], value(w, scope, pattern.value), no);
  }
}

// Both go on. An error behind the match does not make the sender's statement one that cannot be
// executed.
void go_on(Writer& w, Step& step, const Sender& sender, const Receiver& to) {
  const Action& sent = sender.action;
  const Scope& from = sender.step.scope;
  if (sender.step.done != kNone) set(w, sender.step.done, 1);
  if (sender.step.escape != kNone) set(w, sender.step.escape, sender.option.escape);
  if (to.escape != kNone) set(w, to.escape, to.option.escape);
  begin_step(w, step);
  move_to(w, from.slot, from.place, sent.next);
  follow_event(w, step, {true, sender.channel, sender.values, sent.place});
  store_fields(w, step.scope, to.receive, sender.values);
  follow_event(w, step, {false, sender.channel, sender.values, to.receive.place});
  if (&to.whole != &to.receive) rest_of_indivisible(w, step, to.receive.next);
  move_to(w, step.scope.slot, step.scope.place, to.whole.next);
  yield(w, step, to.whole.keeps_control);
}

// `step` is the partner's.
u32 pair(Writer& w, Step step, const Sender& sender, const Receiver& to) {
  if (to.receive.count != w.s.channels[sender.channel.form].field_count) return 0;
  const Scope& from = sender.step.scope;
  Label next;
  const u32 top = w.code.top();
  const u32 first = w.code.here();
  const u32 own =
      step_label(w, step, {from.type, sender.option.action, step.scope.type, to.option.action});
  attempt(w, step, own, next);
  jump_unless_received(w, step.scope, sender, to.receive, next);
  go_on(w, step, sender, to);
  w.code.bind(next);
  w.code.give_back(top);
  w.log.region({.label = own,
                .slot = from.slot,
                .place = from.place,
                .action = sender.option.action,
                .partner = step.scope.slot,
                .partner_place = step.scope.place,
                .received = to.option.action,
                .own = {first, w.code.here()},
                .before = {sender.before[0],
                           sender.before[1],
                           sender.before[2],
                           {to.escape != kNone ? to.first : first, first}},
                .place_code = sender.place_code});
  return 1;
}

// All receives of one place, with the rule of escapes.
u32 pairs(Writer& w, const Step& step, const Sender& sender) {
  const promela::Place& place = w.s.places[step.scope.place];
  const u32 begin = w.code.here();
  Label end;
  bool has_escapes = false;
  for (u32 i = 0; i < place.option_count; ++i)
    has_escapes = has_escapes || w.s.options[place.first_option + i].escape != 0;
  const u32 escape = has_escapes ? constant(w, 0) : kNone;
  u32 successors = 0;
  for (u32 i = 0; i < place.option_count; ++i) {
    const Option& o = w.s.options[place.first_option + i];
    const Action& a = w.s.actions[o.action];
    const bool is_other = i != 0 && o.escape != w.s.options[place.first_option + i - 1].escape;
    if (has_escapes && is_other) leave_escape(w, escape, o.escape, end);
    if (a.kind == ActionKind::receive) {
      successors += pair(w, step, sender, {o, a, a, escape, begin});
    } else if (a.kind == ActionKind::indivisible) {
      const promela::Place& first = w.s.places[a.body];
      for (u32 k = 0; k < first.option_count; ++k) {
        const Action& inner = w.s.actions[w.s.options[first.first_option + k].action];
        if (inner.kind == ActionKind::receive)
          successors += pair(w, step, sender, {o, a, inner, escape, begin});
      }
    }
  }
  w.code.bind(end);
  return successors;
}

// All places of one slot.
u32 receivers(Writer& w, Sender& sender, u32 q) {
  const u32 first = w.code.here();
  const Slot& slot = w.slots.slot(q);
  Step step = sender.step;
  Label end;
  bool is_open = false;
  u32 place = kNone;
  u32 most = 0;
  const u32 top = w.code.top();
  for (u32 i = 0; i < slot.type_count; ++i) {
    const u32 index = slot.first_type + i;
    const promela::Proctype& type = w.s.proctypes[w.slots.type(index).proctype];
    for (u32 k = 0; k < type.place_count; ++k) {
      const PlaceId id = type.first_place + k;
      const u32 code = w.slots.code(q, id);
      if (code == 0 || !may_receive(w.s, w.s.places[id])) continue;
      if (!is_open) {
        is_open = true;
        attempt(w, step, step.label, end);
        jump_unless_provided(w, step.scope, q, end);
        place = load_place(w, q);
        sender.before[2] = {first, w.code.here()};
      }
      Label next;
      const u32 inner = w.code.top();
      jump_unless_is(w, {place, {}}, code, next);
      step.scope = step.scope.of(index, w.slots.type(index));
      step.scope.place = id;
      most = std::max(most, pairs(w, step, sender));
      w.code.jump(BodyOp::jump, 0, end);
      w.code.bind(next);
      w.code.give_back(inner);
    }
  }
  w.code.bind(end);
  w.code.give_back(top);
  return most;
}

}  // namespace

u32 rendezvous(Writer& w, Step& step, const Option& o, const Action& a, const ChannelChoice& c,
               const SharedCode& shared) {
  if (!check_count(w, a, c)) return 0;
  const std::span<Value> values = sent_values(w, step, a);
  cut_fields(w, w.s.channels[c.form], values);
  Sender sender{.step = step,
                .option = o,
                .action = a,
                .channel = c,
                .values = values,
                .before = {shared.channel, {shared.choice, w.code.here()}, {}},
                .place_code = shared.place};
  u32 successors = 0;
  for (u32 q = w.slots.count(); q-- > 0;) {
    if (q != step.scope.slot) successors += receivers(w, sender, q);
  }
  return successors;
}

}  // namespace xmc::promela_lower
