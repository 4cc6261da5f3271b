// What is asked about whole states: valid ends, accepting ones, and expressions of the command
// line.
#include "lower/promela/lowering.h"
#include "xmc/check.h"

namespace xmc::promela_lower {

// A body with a result: of whole states, not of a process.
u32 Lowering::open_body() {
  code_.begin_body(0);
  frame_ = {};
  timeout_ = kNone;
  is_begun_ = false;
  return code_.here();
}

void Lowering::close_body(const Value& v) {
  code_.emit({.op = BodyOp::result, .r = in_register(v)});
  if (code_.cells() > most_cells_) most_cells_ = code_.cells();
}

// A trace has to be at an end, too, unless all processes are gone.
u32 Lowering::lower_valid_end() {
  const u32 code = open_body();
  const Value all = places_value([](const promela::Place& place) { return place.is_valid_end; });
  if (s_.trace != kNone && !s_.is_forbidden && slots_.count() > 0) {
    Label end;
    const u32 top = code_.top();
    code_.jump(BodyOp::jump_zero, all.reg, end);
    const u32 first = in_register(load_leaf(slots_.slot(0).place));
    code_.jump(BodyOp::jump_zero, first, end);
    code_.emit({.op = BodyOp::move, .r = all.reg, .a = trace_ends().reg});
    code_.bind(end);
    code_.give_back(top);
  }
  close_body(all);
  return code;
}

u32 Lowering::lower_accepts() {
  const u32 code = open_body();
  const Value none = places_value([](const promela::Place& place) { return !place.is_accepting; });
  const u32 some = code_.temporary();
  code_.emit({.op = BodyOp::logical_not, .r = some, .a = none.reg});
  close_body({some, ir::kTruth});
  return code;
}

u32 Lowering::lower_condition(ExprId condition) {
  const u32 code = open_body();
  close_body(value(condition));
  return code;
}

// Predicates of the command line come first, and their code comes last: that of the model is the
// same without them.
void Lowering::lower_predicates() {
  for (const AutomatonShape::Alarm& alarm : shape_.alarms) {
    predicates_.push(
        {.kind = PredicateText::Kind::bad_prefix, .process = 0, .location = alarm.location});
  }
  if (request_.reach != kNone) predicates_.push({.kind = PredicateText::Kind::goal});
  if (request_.invariant != kNone) predicates_.push({.kind = PredicateText::Kind::invariant});
  p_.asked_predicates = predicates_.size();
  lower_claim();
  lower_tests();
  p_.model_actions = code_.here();
  lower_automaton();
  u32 next = static_cast<u32>(shape_.alarms.size());
  for (const ExprId condition : {request_.reach, request_.invariant}) {
    if (condition != kNone) predicates_[next++].condition = lower_condition(condition);
  }
  lower_tests();
}

}  // namespace xmc::promela_lower
