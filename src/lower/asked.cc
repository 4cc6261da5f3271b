#include "lower/asked.h"

#include "lower/product.h"

namespace xmc {

namespace {

// Which edges of a state a body asks for: this one, or if it is null those to accepting states.
bool is_wanted(const ltl::Automaton& from, const ltl::Edge& edge, const ltl::Edge* only) {
  return only != nullptr ? &edge == only : from.accepting[edge.target] != 0;
}

struct Bodies {
  const Asked& asked;
  u32 fixed;
  AskedExpressions& expressions;
  BodyCode& code;
};

// To `yes` where one of the cubes holds. Propositions are evaluated as they are asked for.
void branch_on(const Bodies& bodies, std::span<const ltl::Cube> cubes, Label& yes) {
  const std::span<const u32> propositions = bodies.asked.propositions;
  for (const ltl::Cube& cube : cubes) {
    Label next;
    for (u32 i = 0; i < propositions.size(); ++i) {
      if ((cube.positive >> i & 1) != 0) bodies.expressions.branch(propositions[i], next, false);
      if ((cube.negative >> i & 1) != 0) bodies.expressions.branch(propositions[i], next, true);
    }
    bodies.code.jump(ir::BodyOp::jump, 0, yes);
    bodies.code.bind(next);
  }
}

// A body that is `then` where a wanted edge of a state is open.
u32 body_of_edges(const Bodies& bodies, u32 state, bool then, const ltl::Edge* only) {
  const ltl::Automaton& from = *bodies.asked.automaton;
  BodyCode& code = bodies.code;
  const u32 body = code.open_body(bodies.fixed);
  const u32 r = code.constant(then ? 0 : 1);
  Label yes;
  Label end;
  for (const ltl::Edge& edge : from.edges_of(state)) {
    if (is_wanted(from, edge, only)) branch_on(bodies, from.guard(edge), yes);
  }
  code.jump(ir::BodyOp::jump, 0, end);
  code.bind(yes);
  code.set(r, then ? 1 : 0);
  code.bind(end);
  code.close_body(r);
  return body;
}

// An accepting state is bad as it is.
u32 alarm_body(const Bodies& bodies, u32 state) {
  if (bodies.asked.automaton->accepting[state] == 0)
    return body_of_edges(bodies, state, false, nullptr);
  const u32 body = bodies.code.open_body(bodies.fixed);
  bodies.code.close_body(bodies.code.constant(0));
  return body;
}

u32 condition_body(const Bodies& bodies, u32 expression) {
  const u32 body = bodies.code.open_body(bodies.fixed);
  bodies.code.close_body(bodies.expressions.value(expression));
  return body;
}

// Alarms are the first predicates.
void lower_automaton(const Bodies& bodies, AutomatonShape& shape, Predicates& predicates,
                     Arena& arena, ir::RuleProgram& program) {
  for (std::size_t i = 0; i < shape.origins.size(); ++i) {
    const ltl::Edge& origin = bodies.asked.automaton->edges[shape.origins[i]];
    shape.automaton.edges[i].guard = body_of_edges(bodies, origin.source, true, &origin);
  }
  put_automaton(shape.automaton, 0, 0, program);
  for (u32 i = 0; i < shape.alarms.size(); ++i)
    predicates[i].condition = alarm_body(bodies, shape.alarms[i].state);
  const std::span<const u32> asked = bodies.asked.propositions;
  const auto propositions = arena.carve_array<ir::ExprId>("program", asked.size());
  for (std::size_t i = 0; i < propositions.size(); ++i)
    propositions[i] = condition_body(bodies, asked[i]);
  program.propositions = propositions;
}

}  // namespace

void announce_asked(const Asked& asked, const AutomatonShape& shape, Predicates& predicates,
                    ir::RuleProgram& program) {
  for (const AutomatonShape::Alarm& alarm : shape.alarms) {
    predicates.push(
        {.kind = PredicateText::Kind::bad_prefix, .process = 0, .location = alarm.location});
  }
  if (asked.reach != kNone) predicates.push({.kind = PredicateText::Kind::goal});
  if (asked.invariant != kNone) predicates.push({.kind = PredicateText::Kind::invariant});
  program.asked_predicates = predicates.size();
}

void lower_asked(const Asked& asked, u32 fixed, AskedExpressions& expressions, BodyCode& code,
                 AutomatonShape& shape, Predicates& predicates, Arena& arena,
                 ir::RuleProgram& program) {
  program.model_actions = code.here();
  const Bodies bodies{asked, fixed, expressions, code};
  if (asked.automaton != nullptr) lower_automaton(bodies, shape, predicates, arena, program);
  u32 next = static_cast<u32>(shape.alarms.size());
  for (const u32 condition : {asked.reach, asked.invariant}) {
    if (condition != kNone) predicates[next++].condition = condition_body(bodies, condition);
  }
}

}  // namespace xmc
