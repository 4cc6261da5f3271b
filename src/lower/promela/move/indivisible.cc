#include "lower/promela/move/indivisible.h"

#include "lower/promela/move/statements.h"
#include "xmc/limits.h"
#include "xmc/scratch.h"

namespace xmc::promela_lower {

using ir::Failure;

DSteps::DSteps(u32 places, Arena& arena)
    : codes(scratch_array<PlaceCode>(arena, "d_step", places)), waiting(arena, "d_step") {}

namespace {

// On to the code of a place: it may be there, it may still have to be made, or it is the end.
void go_to(Writer& w, DStep& d, PlaceId place) {
  if (w.code.is_dead()) return;
  if (!w.s.places[place].is_indivisible) return w.code.jump(BodyOp::jump, 0, d.end);
  DSteps::PlaceCode& at = w.d_steps.codes[place];
  if (at.code == kNone) {
    if (!at.is_waiting) w.d_steps.waiting.push(place);
    at.is_waiting = true;
    return w.code.jump(BodyOp::jump, 0, at.label);
  }
  w.code.emit({.op = BodyOp::repeat,
               .reason = static_cast<u8>(Failure::endless),
               .note = note(w, w.s.places[place].place),
               .r = d.turns,
               .a = limits::kIndivisibleSteps});
  w.code.jump_back(at.code);
}

// The options of a place, in order; behind the last one it is blocked.
void options_inside(Writer& w, Step step, DStep& d, PlaceId id, Label* blocked) {
  const promela::Place& place = w.s.places[id];
  step.scope.place = id;
  for (u32 i = 0; i < place.option_count; ++i) {
    const Action& a = w.s.actions[w.s.options[place.first_option + i].action];
    Label next;
    const u32 top = w.code.top();
    basic(w, step, a, next);
    w.code.give_back(top);
    go_to(w, d, a.next);
    w.code.bind(next);
  }
  if (blocked != nullptr) {
    w.code.jump(BodyOp::jump, 0, *blocked);
  } else {
    fail(w, Failure::blocked, place.place);
  }
}

DStep open(Writer& w) { return {constant(w, 0), w.d_steps.waiting.size(), {}}; }

// The code of all places that have been jumped to. The d_step goes on behind it.
void close(Writer& w, const Step& step, DStep& d) {
  DSteps& all = w.d_steps;
  for (u32 i = d.first; i < all.waiting.size(); ++i) {
    DSteps::PlaceCode& at = all.codes[all.waiting[i]];
    w.code.bind(at.label);
    at.code = w.code.here();
    options_inside(w, step, d, all.waiting[i], nullptr);
  }
  for (u32 i = d.first; i < all.waiting.size(); ++i) all.codes[all.waiting[i]] = {};
  w.code.bind(d.end);
}

}  // namespace

// A first statement that stands alone is asked before the successor is made, unless it may be about
// several channels. A test ends behind the first statement, and makes no successor at all.
void indivisible(Writer& w, Step& step, const Action& a, Label& blocked) {
  DStep d = open(w);
  const promela::Place& first = w.s.places[a.body];
  const ActionKind kind = w.s.actions[w.s.options[first.first_option].action].kind;
  const bool is_message = kind == ActionKind::send || kind == ActionKind::receive;
  if (!step.is_test() && (first.option_count != 1 || is_message)) begin_step(w, step);
  options_inside(w, step, d, a.body, &blocked);
  step.scope.begun = true;
  close(w, step, d);
}

void rest_of_indivisible(Writer& w, const Step& step, PlaceId place) {
  DStep d = open(w);
  go_to(w, d, place);
  close(w, step, d);
}

}  // namespace xmc::promela_lower
