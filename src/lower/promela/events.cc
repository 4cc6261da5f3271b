// What is sent and received, as the trace of the model follows it: behind the statement, a jump by
// the place of the trace, then what it has there. The message of a rendezvous is sent and received.
//
// The trace follows sends on a channel if it names one of them, and receives from it if it names
// one of those. A receive that leaves the message is no event, nor is an offer of a rendezvous that
// nobody takes.
#include "lower/promela/lowering.h"
#include "xmc/check.h"

namespace xmc::promela_lower {

using ir::Failure;

namespace {

bool is_of_kind(const Action& event, bool is_send) {
  return (event.kind == ActionKind::send) == is_send;
}

}  // namespace

// Whether it can be about that channel; and the channels that it can be about.
bool Lowering::is_event(const Action& event, bool is_send, u32 channel, promela::Numbers& numbers) {
  if (!is_of_kind(event, is_send)) return false;
  numbers = facts_.channel(kNone, kNone, event.channel);
  return numbers.contains(channel);
}

// To `no` unless a message is the one that an event of the trace is about.
void Lowering::jump_unless_event(const Action& event, const ChannelChoice& c,
                                 std::span<const Value> fields, Label& no) {
  jump_unless_equal(value(event.channel), known(c.number), no);
  for (u32 i = 0; i < event.count && i < fields.size(); ++i) {
    ExprId wanted = kNone;
    if (event.kind == ActionKind::receive) {
      const Pattern& pattern = s_.patterns[event.first + i];
      if (pattern.kind == PatternKind::match) wanted = pattern.value;
    } else {
      const ExprId id = s_.arguments[event.first + i];
      if (expr(id).op == Op::literal) wanted = id;
    }
    if (wanted != kNone) jump_unless_equal(fields[i], value(wanted), no);
  }
}

// To `no` unless the trace names such events of the channel somewhere.
void Lowering::jump_unless_followed(bool is_send, const ChannelChoice& c, Label& no) {
  const promela::Proctype& trace = s_.proctypes[s_.trace];
  Label yes;
  for (u32 i = 0; i < trace.place_count; ++i) {
    const promela::Place& place = s_.places[trace.first_place + i];
    for (u32 k = 0; k < place.option_count; ++k) {
      const Action& event = s_.actions[s_.options[place.first_option + k].action];
      promela::Numbers numbers;
      if (!is_event(event, is_send, c.number, numbers)) continue;
      if (numbers.count() == 1) return code_.bind(yes);
      Label other;
      const u32 top = code_.top();
      jump_unless_equal(value(event.channel), known(c.number), other);
      code_.jump(BodyOp::jump, 0, yes);
      code_.bind(other);
      code_.give_back(top);
    }
  }
  code_.jump(BodyOp::jump, 0, no);
  code_.bind(yes);
}

// Falls through where the trace has no such event at this place. No other one may fit.
void Lowering::trace_place(PlaceId id, bool is_send, const ChannelChoice& c,
                           std::span<const Value> fields, Span where, Label& end) {
  const promela::Place& place = s_.places[id];
  for (u32 i = 0; i < place.option_count; ++i) {
    const Action& event = s_.actions[s_.options[place.first_option + i].action];
    promela::Numbers numbers;
    if (!is_event(event, is_send, c.number, numbers)) continue;
    Label next;
    const u32 top = code_.top();
    jump_unless_event(event, c, fields, next);
    for (u32 k = i + 1; k < place.option_count; ++k) {
      const Action& other = s_.actions[s_.options[place.first_option + k].action];
      if (!is_event(other, is_send, c.number, numbers)) continue;
      Label differs;
      jump_unless_event(other, c, fields, differs);
      fail(Failure::unclear_event, where);
      code_.bind(differs);
    }
    write_leaf({slots_.trace(), kNone}, known(slots_.trace_code(event.next)));
    if (s_.is_forbidden && s_.places[event.next].is_last) {
      code_.emit({.op = BodyOp::blame,
                  .reason = static_cast<u8>(Failure::forbidden_trace),
                  .note = note(where),
                  .a = label_});
    }
    code_.jump(BodyOp::jump, 0, end);
    code_.bind(next);
    code_.give_back(top);
  }
}

// Of a statement that has been executed: the trace goes on, or does not.
void Lowering::event(bool is_send, const ChannelChoice& c, std::span<const Value> fields,
                     Span where) {
  if (s_.trace == kNone || asks_) return;
  XMC_CHECK(is_begun_);
  const promela::Proctype& trace = s_.proctypes[s_.trace];
  const Frame kept = frame_;
  frame_ = {};
  Label end;
  Label no;
  const u32 top = code_.top();
  jump_unless_followed(is_send, c, end);
  const u32 at = in_register(load_leaf(slots_.trace()));
  const u32 first = code_.targets();
  code_.jump_table(at, slots_.trace_places());
  const u32 none = code_.enter();
  code_.add_targets(slots_.trace_places(), none);
  code_.jump(BodyOp::jump, 0, no);
  for (u32 i = 0; i < trace.place_count; ++i) {
    const PlaceId id = trace.first_place + i;
    if (slots_.trace_code(id) == kNone || s_.places[id].is_last) continue;
    code_.set_target(first + slots_.trace_code(id), code_.enter());
    trace_place(id, is_send, c, fields, where, end);
    code_.jump(BodyOp::jump, 0, no);
  }
  code_.bind(no);
  if (s_.is_forbidden) {
    // It stays at its end: only the first try counts.
    write_leaf({slots_.trace(), kNone}, known(slots_.trace_code(trace.first_place)));
  } else {
    code_.emit({.op = BodyOp::blame,
                .reason = static_cast<u8>(Failure::no_event),
                .note = note(where),
                .a = label_});
  }
  code_.bind(end);
  code_.give_back(top);
  frame_ = kept;
}

// Whether it is no mistake of the trace that no process moves any more.
Value Lowering::trace_ends() {
  const promela::Proctype& trace = s_.proctypes[s_.trace];
  const u32 out = constant(0);
  Label end;
  const u32 at = in_register(load_leaf(slots_.trace()));
  const u32 first = code_.targets();
  code_.jump_table(at, slots_.trace_places());
  const u32 stop = code_.enter();
  code_.add_targets(slots_.trace_places(), stop);
  code_.jump(BodyOp::jump, 0, end);
  const u32 well = code_.enter();
  set(out, 1);
  code_.bind(end);
  for (u32 i = 0; i < trace.place_count; ++i) {
    const PlaceId id = trace.first_place + i;
    if (slots_.trace_code(id) != kNone && s_.places[id].is_valid_end)
      code_.set_target(first + slots_.trace_code(id), well);
  }
  return {out, ir::kTruth};
}

}  // namespace xmc::promela_lower
