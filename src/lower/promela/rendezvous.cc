// Rendezvous: the sender's statement looks for every receive that takes its message, in the other
// processes from the highest pid on. Each pair is a step of its own.
#include <algorithm>

#include "lower/promela/lowering.h"

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

}  // namespace

void Lowering::rendezvous(const Option& o, const Action& a, const ChannelChoice& c) {
  if (!check_count(a, c)) return;
  Sender sender;
  sender.action = &a;
  sender.option = &o;
  sender.label = label_;
  sender.frame = frame_;
  sender.channel = c;
  sender.has_else = has_else_;
  sender.has_escapes = has_escapes_;
  const std::span<Value> values = sent_values(a);
  cut_fields(s_.channels[c.form], values);
  sender.values = values;
  sender.before[0] = channel_code_;
  sender.before[1] = since(choice_code_);
  if (records()) sender.place_code = record_->place_code;
  for (u32 q = slots_.count(); q-- > 0;) {
    if (q != sender.frame.slot) receivers(sender, q);
  }
  frame_ = sender.frame;
  has_else_ = sender.has_else;
  has_escapes_ = sender.has_escapes;
}

void Lowering::receivers(Sender& sender, u32 q) {
  const u32 first = here();
  const Slot& slot = slots_.slot(q);
  Label end;
  bool is_open = false;
  u32 place = kNone;
  const u32 before = successors_;
  u32 most = before;
  const u32 top = code_.top();
  for (u32 i = 0; i < slot.type_count; ++i) {
    const u32 index = slot.first_type + i;
    const promela::Proctype& type = s_.proctypes[slots_.type(index).proctype];
    for (u32 k = 0; k < type.place_count; ++k) {
      const PlaceId id = type.first_place + k;
      const u32 code = slots_.code(q, id);
      if (code == 0 || !may_receive(s_, s_.places[id])) continue;
      if (!is_open) {
        is_open = true;
        attempt(sender.label, end);
        provided(q, end);
        place = code_.temporary();
        code_.emit({.op = BodyOp::load, .r = place, .a = slot.place});
        sender.before[2] = since(first);
      }
      Label next;
      successors_ = before;
      const u32 inner = code_.top();
      const u32 is = constant(code);
      code_.emit({.op = BodyOp::equal, .r = is, .a = place, .b = is});
      code_.jump(BodyOp::jump_zero, is, next);
      frame_ = {q, slots_.type(index).proctype, index, id};
      pairs(sender, s_.places[id]);
      most = std::max(most, successors_);
      code_.jump(BodyOp::jump, 0, end);
      code_.bind(next);
      code_.give_back(inner);
    }
  }
  successors_ = most;
  code_.bind(end);
  code_.give_back(top);
}

// All receives of one place, with the rule of escapes.
void Lowering::pairs(Sender& sender, const promela::Place& place) {
  sender.escapes = here();
  Label end;
  bool has_escapes = false;
  for (u32 i = 0; i < place.option_count; ++i)
    has_escapes = has_escapes || s_.options[place.first_option + i].escape != 0;
  const u32 kept = escape_;
  if (has_escapes) escape_ = constant(0);
  for (u32 i = 0; i < place.option_count; ++i) {
    const Option& o = s_.options[place.first_option + i];
    const Action& a = s_.actions[o.action];
    const bool is_other = i != 0 && o.escape != s_.options[place.first_option + i - 1].escape;
    if (has_escapes && is_other) leave_escape(o.escape, end);
    if (!may_receive(s_, a)) continue;
    const u32 taken = has_escapes ? escape_ : kNone;
    escape_ = kept;
    if (a.kind == ActionKind::receive) {
      pair(sender, o, a, a, taken);
    } else {
      const promela::Place& first = s_.places[a.body];
      for (u32 k = 0; k < first.option_count; ++k) {
        const Action& inner = s_.actions[s_.options[first.first_option + k].action];
        if (inner.kind == ActionKind::receive) pair(sender, o, a, inner, taken);
      }
    }
    if (has_escapes) escape_ = taken;
  }
  code_.bind(end);
  escape_ = kept;
}

// `whole` is the receiver's statement, and `receive` what takes the message: it, or the first one
// of a d_step. An error behind the match does not make the sender's statement one that cannot be
// executed.
void Lowering::pair(const Sender& sender, const Option& o, const Action& whole,
                    const Action& receive, u32 taken) {
  const ChannelChoice& c = sender.channel;
  if (receive.count != s_.channels[c.form].field_count) return;
  const Action& sent = *sender.action;
  const PlaceId place = frame_.place;
  Label next;
  const u32 top = code_.top();
  const u32 first = here();
  const u32 own = step_label({sender.frame.type, sender.option->action, frame_.type, o.action});
  attempt(own, next);
  promela::Numbers numbers;
  const Value number = channel_number(receive.channel, numbers);
  if (!numbers.contains(c.number)) {
    code_.jump(BodyOp::jump, 0, next);
  } else {
    jump_unless_equal(number, known(c.number), next);
  }
  for (u32 i = 0; i < receive.count; ++i) {
    const Pattern& pattern = s_.patterns[receive.first + i];
    if (pattern.kind == PatternKind::match)
      jump_unless_equal(sender.values[i], value(pattern.value), next);
  }
  if (sender.has_else) set(done_, 1);
  if (sender.has_escapes) set(escape_, sender.option->escape);
  if (taken != kNone) set(taken, o.escape);
  begin();
  move_to(sender.frame.slot, sender.frame.place, sent.next);
  event(true, c, sender.values, sent.place);
  store_fields(receive, sender.values);
  event(false, c, sender.values, receive.place);
  if (&whole != &receive) {
    open_indivisible();
    go_to(receive.next);
    close_indivisible();
  }
  frame_.place = place;
  move_to(frame_.slot, place, whole.next);
  yield(whole.keeps_control);
  code_.bind(next);
  code_.give_back(top);
  if (!records()) return;
  note_region({.label = own,
               .slot = sender.frame.slot,
               .place = sender.frame.place,
               .action = sender.option->action,
               .partner = frame_.slot,
               .partner_place = place,
               .received = o.action,
               .own = since(first),
               .before = {sender.before[0],
                          sender.before[1],
                          sender.before[2],
                          {taken != kNone ? sender.escapes : first, first}},
               .place_code = sender.place_code});
}

}  // namespace xmc::promela_lower
