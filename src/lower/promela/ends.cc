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

namespace {

// Of the command line: of no process.
class Expressions final : public AskedExpressions {
 public:
  explicit Expressions(Writer& w) : w_(w) {}

  void branch(u32 expression, Label& to, bool when) override {
    promela_lower::branch(w_, {}, expression, to, when);
  }
  u32 value(u32 expression) override {
    return in_register(w_, promela_lower::value(w_, {}, expression));
  }

 private:
  Writer& w_;
};

}  // namespace

void lower_predicates(Writer& w, const PromelaRequest& request, Property& property,
                      ir::RuleProgram& program, Predicates& predicates) {
  const Asked asked{.automaton = request.automaton,
                    .propositions = request.propositions,
                    .as_cycles = request.as_cycles,
                    .reach = request.reach,
                    .invariant = request.invariant};
  announce_asked(asked, property.shape, predicates, program);
  lower_claim(w, request, property, program, predicates);
  lower_tests(w, program.routines);
  Expressions expressions(w);
  lower_asked(asked, 0, expressions, w.code, property.shape, predicates, w.arena, program);
  lower_tests(w, program.routines);
}

}  // namespace xmc::promela_lower
