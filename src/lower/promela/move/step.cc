#include "lower/promela/move/step.h"

#include "lower/promela/expr/references.h"

namespace xmc::promela_lower {

void begin_step(Writer& w, Step& step) {
  if (step.is_test()) {
    w.code.jump(BodyOp::jump, 0, *step.yes);
  } else if (!step.scope.begun) {
    w.code.emit({.op = BodyOp::begin});
  }
  step.scope.begun = true;
}

void attempt(Writer& w, Step& step, u32 label, Label& next) {
  step.label = label;
  step.scope.begun = false;
  w.dead.begin_attempt();
  if (!step.is_test()) w.code.attempt(label, next);
}

u32 step_label(Writer& w, const Step& step, const StepWords& words) {
  return step.is_test() ? 0 : w.words.add(words);
}

void move_to(Writer& w, u32 q, PlaceId from, PlaceId to) {
  w.dead.rest(w, q, from, to);
  if (from == to) return;
  const u32 top = w.code.top();
  write_leaf(w, {w.slots.slot(q).place, kNone}, known(w.slots.code(q, to)));
  w.code.give_back(top);
}

void yield(Writer& w, const Step& step, bool keeps_control) {
  const u32 q = step.scope.slot;
  if (w.slots.last_pid() != kNone) write_leaf(w, {w.slots.last_pid(), kNone}, known(q));
  w.totals.keeps_control = w.totals.keeps_control || keeps_control;
  // Rules come by pids, the highest one first.
  const u32 rule = keeps_control ? w.slots.count() - 1 - q : kNone;
  w.code.emit({.op = BodyOp::yield, .a = step.label, .b = rule});
}

}  // namespace xmc::promela_lower
