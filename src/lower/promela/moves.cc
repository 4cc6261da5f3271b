// The moves of a slot: a jump by its place, then the options of the place in their order.
#include <algorithm>

#include "lower/promela/choices.h"
#include "lower/promela/lowering.h"

namespace xmc::promela_lower {

// To `no` unless the process of a slot may move at all.
void Lowering::provided(u32 q, Label& no) {
  const Slot& slot = slots_.slot(q);
  const Frame kept = frame_;
  for (u32 i = 0; i < slot.type_count; ++i) {
    const u32 index = slot.first_type + i;
    const SlotType& type = slots_.type(index);
    const ExprId condition = s_.proctypes[type.proctype].provided;
    if (condition == kNone) continue;
    Label other;
    const u32 top = code_.top();
    jump_unless(type, other);
    frame_ = {q, type.proctype, index, kNone};
    branch(condition, no, false);
    code_.bind(other);
    code_.give_back(top);
  }
  frame_ = kept;
}

bool Lowering::is_provided(u32 q) const {
  const Slot& slot = slots_.slot(q);
  for (u32 i = 0; i < slot.type_count; ++i) {
    if (s_.proctypes[slots_.type(slot.first_type + i).proctype].provided != kNone) return true;
  }
  return false;
}

void Lowering::attempt(u32 label, Label& next) {
  label_ = label;
  is_begun_ = false;
  ++attempts_;
  if (!asks_) code_.attempt(label, next);
}

u32 Lowering::step_label(const Step& step) { return asks_ ? 0 : words_.add(step); }

// The step is complete; the process has moved on unless it died.
void Lowering::finish(const Action& a) {
  if (a.kind != ActionKind::die) move_to(frame_.slot, frame_.place, a.next);
  yield(a.keeps_control);
}

void Lowering::move_to(u32 q, PlaceId from, PlaceId to) {
  rest_dead(q, from, to);
  if (from == to) return;
  const u32 top = code_.top();
  const u32 code = slots_.code(q, to);
  write_leaf({slots_.slot(q).place, kNone}, known(code));
  code_.give_back(top);
}

void Lowering::yield(bool keeps_control) {
  if (slots_.last_pid() != kNone) write_leaf({slots_.last_pid(), kNone}, known(frame_.slot));
  ++successors_;
  keeps_control_ = keeps_control_ || keeps_control;
  code_.emit({.op = BodyOp::yield, .a = label_, .b = keeps_control ? rule_of(frame_.slot) : kNone});
}

// What else depends on it: `else`, and options of other escapes.
void Lowering::note_taken(const Option& o) {
  if (has_else_) set(done_, 1);
  if (has_escapes_) set(escape_, o.escape);
}

// A send or receive, with each channel that it may be about.
void Lowering::message_option(const Option& o, const Action& a, Label& next) {
  promela::Numbers numbers;
  const Value number = channel_number(a.channel, numbers);
  channel_code_ = since(option_code_);
  bool is_decided = false;
  bool is_first = true;
  const u32 label = label_;
  const u32 before = successors_;
  u32 most = before;
  for_choices(numbers, [&](const ChannelChoice& c) {
    Label other;
    successors_ = before;
    const u32 top = code_.top();
    if (!is_first) attempt(label, next);
    is_first = false;
    is_decided = is_decided || is_sure(number, c);
    choice_code_ = here();
    jump_unless(number, c, other);
    if (a.kind == ActionKind::send && s_.channels[c.form].capacity == 0) {
      rendezvous(o, a, c);
    } else {
      if (a.kind == ActionKind::send) {
        send(a, c, next);
      } else {
        receive(a, c, next);
      }
      begin();
      finish(a);
      note_taken(o);
    }
    code_.jump(BodyOp::jump, 0, next);
    code_.bind(other);
    code_.give_back(top);
    most = std::max(most, successors_);
  });
  successors_ = most;
  if (is_decided) return;
  if (!is_first) attempt(label, next);
  note_safe(are_there(numbers));
  fail(ir::Failure::no_channel, expr(a.channel).place);
}

void Lowering::option(const Option& o) {
  const Action& a = s_.actions[o.action];
  Label next;
  const u32 top = code_.top();
  const u32 first = option_code_ = here();
  if (a.kind == ActionKind::otherwise) code_.jump(BodyOp::jump_not_zero, done_, next);
  const u32 own = step_label({frame_.type, o.action});
  attempt(own, next);
  if (a.kind == ActionKind::send || a.kind == ActionKind::receive) {
    message_option(o, a, next);
  } else {
    basic(a, next);
    finish(a);
    note_taken(o);
  }
  code_.bind(next);
  code_.give_back(top);
  if (!records()) return;
  StepRegion region;
  region.label = own;
  region.slot = frame_.slot;
  region.place = frame_.place;
  region.action = o.action;
  region.own = since(first);
  region.place_code = record_->place_code;
  note_region(region);
}

// Once one of an escape was executable, only those of the same escape are.
void Lowering::leave_escape(u32 escape, Label& end) {
  Label go_on;
  code_.jump(BodyOp::jump_zero, escape_, go_on);
  const u32 top = code_.top();
  const u32 is = constant(escape);
  code_.emit({.op = BodyOp::equal, .r = is, .a = escape_, .b = is});
  code_.jump(BodyOp::jump_zero, is, end);
  code_.give_back(top);
  code_.bind(go_on);
}

void Lowering::lower_place(PlaceId id, Label& end) {
  const promela::Place& place = s_.places[id];
  frame_.place = id;
  successors_ = 0;
  has_else_ = false;
  has_escapes_ = false;
  for (u32 i = 0; i < place.option_count; ++i) {
    const Option& o = s_.options[place.first_option + i];
    has_else_ = has_else_ || s_.actions[o.action].kind == ActionKind::otherwise;
    has_escapes_ = has_escapes_ || o.escape != 0;
  }
  if (records()) record_->place_code = here();
  if (has_else_) set(done_, 0);
  if (has_escapes_) set(escape_, 0);
  for (u32 i = 0; i < place.option_count; ++i) {
    const Option& o = s_.options[place.first_option + i];
    const bool is_other = i != 0 && o.escape != s_.options[place.first_option + i - 1].escape;
    if (has_escapes_ && is_other) leave_escape(o.escape, end);
    option(o);
  }
  code_.jump(BodyOp::jump, 0, end);
}

// Of the process that is there.
void Lowering::lower_options(u32 q, Label& end) {
  const Slot& slot = slots_.slot(q);
  if (is_provided(q)) {
    const u32 before = here();
    attempt(step_label({slot.first_type}), end);
    provided(q, end);
    if (records()) record_->provided[q] = since(before);
  }
  const u32 place = code_.temporary();
  code_.emit({.op = BodyOp::load, .r = place, .a = slot.place});
  const u32 first = code_.targets();
  code_.jump_table(place, slot.codes);
  code_.add_targets(slot.codes, code_.enter());
  code_.jump(BodyOp::jump, 0, end);
  u32 most = 0;
  for (u32 i = 0; i < slot.type_count; ++i) {
    const u32 index = slot.first_type + i;
    const u32 proctype = slots_.type(index).proctype;
    const promela::Proctype& type = s_.proctypes[proctype];
    frame_ = {q, proctype, index, kNone};
    for (u32 k = 0; k < type.place_count; ++k) {
      const u32 code = slots_.code(q, type.first_place + k);
      if (code == 0) continue;
      code_.set_target(first + code, code_.enter());
      lower_place(type.first_place + k, end);
      most = std::max(most, successors_);
    }
  }
  frame_ = {};
  if (!asks_) p_.max_successors += most;
}

void Lowering::lower_slot(u32 q) {
  code_.begin_body(kFixedCells);
  timeout_ = uses_timeout_ ? u32{kTimeoutCell} : kNone;
  done_ = kDoneCell;
  escape_ = kEscapeCell;
  Label end;
  if (s_.uses_priorities) yield_to_higher(q, end);
  lower_options(q, end);
  code_.bind(end);
  code_.emit({.op = BodyOp::disabled});
  if (code_.cells() > most_cells_) most_cells_ = code_.cells();
}

// The same rules once more.
void Lowering::add_rules(u32 timeout, i32 priority) {
  for (u32 i = 0; i < slots_.count(); ++i) {
    ir::Rule rule = rules_[i];
    rule.first_parameter = parameters_.size();
    rule.priority = priority;
    if (uses_timeout_) parameters_.push({.cell = kTimeoutCell, .low = static_cast<i32>(timeout)});
    rule.parameter_count = parameters_.size() - rule.first_parameter;
    if (priority == 0) {
      rules_[i] = rule;
    } else {
      rules_.push(rule);
    }
  }
}

// Highest pid first. Where no process can move, all are asked again with `timeout`. Who keeps
// control yields to a higher priority, too.
void Lowering::lower_moves() {
  for (u32 q = slots_.count(); q-- > 0;) {
    ir::Rule rule;
    rule.code = code_.here();
    rule.first_step = words_.count();
    lower_slot(q);
    rules_.push(rule);
  }
  add_rules(0, 0);
  if (uses_timeout_) add_rules(1, 1);
}

}  // namespace xmc::promela_lower
