// What is asked about whole states: valid ends, accepting ones, and expressions of the command
// line.
#include "lower/promela/bodies.h"
#include "lower/promela/expr/processes.h"
#include "lower/promela/expr/references.h"
#include "lower/promela/move/events.h"
#include "lower/promela/move/tests.h"

namespace xmc::promela_lower {

u32 open_body(Writer& w) {
  w.code.begin_body(0);
  return w.code.here();
}

void close_body(Writer& w, const Value& v) {
  w.code.emit({.op = BodyOp::result, .r = in_register(w, v)});
  end_body(w);
}

// A trace has to be at an end, too, unless all processes are gone.
u32 lower_valid_end(Writer& w) {
  const u32 code = open_body(w);
  const Value all = places_value(w, [](const promela::Place& place) { return place.is_valid_end; });
  if (w.s.trace != kNone && !w.s.is_forbidden && w.slots.count() > 0) {
    Label end;
    const u32 top = w.code.top();
    w.code.jump(BodyOp::jump_zero, all.reg, end);
    const u32 first = in_register(w, load_leaf(w, w.slots.slot(0).place));
    w.code.jump(BodyOp::jump_zero, first, end);
    w.code.emit({.op = BodyOp::move, .r = all.reg, .a = trace_ends(w).reg});
    w.code.bind(end);
    w.code.give_back(top);
  }
  close_body(w, all);
  return code;
}

u32 lower_accepts(Writer& w) {
  const u32 code = open_body(w);
  const Value none =
      places_value(w, [](const promela::Place& place) { return !place.is_accepting; });
  const u32 some = w.code.temporary();
  w.code.emit({.op = BodyOp::logical_not, .r = some, .a = none.reg});
  close_body(w, {some, ir::kTruth});
  return code;
}

u32 lower_condition(Writer& w, ExprId condition) {
  const u32 code = open_body(w);
  close_body(w, value(w, {}, condition));
  return code;
}

// Predicates of the command line come first, and their code comes last: that of the model is the
// same without them.
void lower_predicates(Writer& w, const PromelaRequest& request, Property& property,
                      ir::RuleProgram& program, Predicates& predicates) {
  for (const AutomatonShape::Alarm& alarm : property.shape.alarms) {
    predicates.push(
        {.kind = PredicateText::Kind::bad_prefix, .process = 0, .location = alarm.location});
  }
  if (request.reach != kNone) predicates.push({.kind = PredicateText::Kind::goal});
  if (request.invariant != kNone) predicates.push({.kind = PredicateText::Kind::invariant});
  program.asked_predicates = predicates.size();
  lower_claim(w, request, property, program, predicates);
  lower_tests(w, program.routines);
  program.model_actions = w.code.here();
  lower_automaton(w, request, property, program, predicates);
  u32 next = static_cast<u32>(property.shape.alarms.size());
  for (const ExprId condition : {request.reach, request.invariant}) {
    if (condition != kNone) predicates[next++].condition = lower_condition(w, condition);
  }
  lower_tests(w, program.routines);
}

}  // namespace xmc::promela_lower
