// What a run looks for, for step tables: goals, or what the automaton of a product reads, as
// conditions of expressions over cells (state_expressions.h).
#include "ir/tables/conditions.h"
#include "ir/tables/stutter.h"
#include "lower/promela/lowering.h"
#include "lower/promela/steps/step_facts.h"

namespace xmc::promela_lower {

using ir::Condition;

namespace {

// A predicate as a condition. What has no expression is known by what the whole predicate reads,
// and its truth is not: where something in the predicate may fail, that goes for all of it, since
// what fails decides the rest.
class GoalMaker {
 public:
  GoalMaker(const promela::System& system, StateExpressions& all) : s_(system), all_(all) {}

  // Before the expressions are complete.
  void express(ExprId id) {
    if (all_.truth(id) != kNone) return;
    const promela::Expr& e = s_.expressions[id];
    if (e.op == Op::logical_not || is_split(e)) express(e.a);
    if (is_split(e)) express(e.b);
  }

  u32 condition(ExprId id, bool truth, ir::ConditionMaker& maker, ir::StepFacts& facts,
                const ir::Range& inputs, bool may_fail) {
    const u32 known = all_.truth(id);
    if (known != kNone) return maker.make(known, truth);
    const promela::Expr& e = s_.expressions[id];
    if (!may_fail && e.op == Op::logical_not)
      return condition(e.a, !truth, maker, facts, inputs, may_fail);
    Condition c{.is_vague = true};
    if (may_fail || !is_split(e)) {
      c.kind = Condition::Kind::rest;
      c.first = inputs.first;
      c.count = inputs.count;
      return facts.conditions.push(c);
    }
    const u32 a = condition(e.a, truth, maker, facts, inputs, may_fail);
    const u32 b = condition(e.b, truth, maker, facts, inputs, may_fail);
    const bool all = (e.op == Op::logical_and) == truth;
    c.kind = all ? Condition::Kind::all_of : Condition::Kind::any_of;
    c.first = facts.parts.push(a);
    c.count = 2;
    facts.parts.push(b);
    return facts.conditions.push(c);
  }

 private:
  static bool is_split(const promela::Expr& e) {
    return e.op == Op::logical_and || e.op == Op::logical_or;
  }

  const promela::System& s_;
  StateExpressions& all_;
};

}  // namespace

// The program, with the expressions in the place of bodies, and slots as processes.
ir::Program& Lowering::text_of(StateExpressions& all) {
  auto& text = *::new (arena_.carve("step tables", sizeof(ir::Program))) ir::Program(p_);
  text.has_rules = false;
  text.exprs = all.carve(arena_);
  text.processes = all.carve_processes(1, arena_);
  return text;
}

const char* Lowering::find_goals(StateExpressions& all, StepFinder& finder, ir::StepFacts& facts,
                                 const ir::Program*& text) {
  GoalMaker goals(s_, all);
  for (const ExprId id : {request_.reach, request_.invariant}) {
    if (id != kNone) goals.express(id);
  }
  text = &text_of(all);
  ir::ConditionMaker maker(*text, facts);
  for (const ir::Predicate& predicate : p_.predicates) {
    const bool is_goal = predicate.kind == PredicateText::Kind::goal;
    ir::Range inputs;
    bool may_fail = false;
    if (!finder.list_inputs(predicate.condition, inputs, may_fail))
      return "a predicate asks whether a process can move";
    const ExprId id = is_goal ? request_.reach : request_.invariant;
    const u32 condition = goals.condition(id, is_goal, maker, facts, inputs, may_fail);
    // A goal that fails to evaluate is not reached; an invariant does not hold then.
    if (is_goal) facts.conditions[condition].may_fail = false;
    facts.goals.push(condition);
  }
  return nullptr;
}

// --- Automata ---

u32 Lowering::claim_option_expression(StateExpressions& all, const promela::Place& place,
                                      u32 option) {
  const Action& a = s_.actions[s_.options[place.first_option + option].action];
  if (a.kind == ActionKind::condition) return all.truth(a.value);
  if (a.kind == ActionKind::otherwise)
    return all.negation(claim_before_expression(all, place, option));
  if (a.kind != ActionKind::indivisible) return all.constant(1);
  const promela::Place& body = s_.places[a.body];
  return claim_before_expression(all, body, body.option_count);
}

// That one of the options in front of it can be executed.
u32 Lowering::claim_before_expression(StateExpressions& all, const promela::Place& place,
                                      u32 option) {
  u32 out = all.constant(0);
  for (u32 i = 0; i < option; ++i) out = all.either(out, claim_option_expression(all, place, i));
  return out;
}

// As claim_body().
u32 Lowering::claim_expression(StateExpressions& all, const ClaimWay& way, bool check) {
  u32 out = all.constant(1);
  for (u32 i = 0; i < way.count; ++i) {
    const ClaimStep& step = claim_steps_[way.first + i];
    const promela::Place& place = s_.places[step.place];
    if (step.is_first)
      out = all.both(out, all.negation(claim_before_expression(all, place, step.option)));
    out = all.both(out, claim_option_expression(all, place, step.option));
    if (!check || i + 1 < way.count) continue;
    const Action& a = s_.actions[s_.options[place.first_option + step.option].action];
    out = all.either(all.negation(out), all.truth(a.value));
  }
  return out;
}

u32 Lowering::cubes_expression(StateExpressions& all, std::span<const ltl::Cube> cubes) {
  u32 out = all.constant(0);
  for (const ltl::Cube& cube : cubes) {
    u32 one = all.constant(1);
    for (u32 i = 0; i < request_.propositions.size(); ++i) {
      if ((cube.positive >> i & 1) != 0) one = all.both(one, all.truth(request_.propositions[i]));
      if ((cube.negative >> i & 1) != 0)
        one = all.both(one, all.negation(all.truth(request_.propositions[i])));
    }
    out = all.either(out, one);
  }
  return out;
}

u32 Lowering::guard_expression(StateExpressions& all, u32 edge) {
  if (request_.automaton != nullptr) {
    const ltl::Edge& origin = request_.automaton->edges[shape_.origins[edge]];
    return cubes_expression(all, request_.automaton->guard(origin));
  }
  const ClaimWay& way = claim_edges_[edge];
  if (way.count != kNone) return claim_expression(all, way, false);
  return all.nobody_is([](const promela::Place& place) { return place.is_progress; });
}

// As alarm_body().
u32 Lowering::alarm_expression(StateExpressions& all, u32 state) {
  const ltl::Automaton& from = *request_.automaton;
  if (from.accepting[state] != 0) return all.constant(0);
  u32 out = all.constant(0);
  for (const ltl::Edge& edge : from.edges_of(state)) {
    if (from.accepting[edge.target] != 0)
      out = all.either(out, cubes_expression(all, from.guard(edge)));
  }
  return all.negation(out);
}

bool Lowering::has_accepting_place() const {
  for (u32 q = 0; q < slots_.count(); ++q) {
    for (PlaceId id = 0; id < s_.places.size(); ++id) {
      if (s_.places[id].is_accepting && slots_.find_type(q, slots_.proctype_of(id)) != kNone &&
          slots_.code(q, id) != 0)
        return true;
    }
  }
  return false;
}

const char* Lowering::find_automaton(StateExpressions& all, ir::StepFacts& facts,
                                     const ir::Program*& out) {
  constexpr const char* kMore = "the property asks for more than values and places";
  const bool accepts = request_.accepting && has_accepting_place();
  if (accepts && request_.claim != kNone)
    return "accept labels of processes count beside those of the claim";
  const u32 edges = static_cast<u32>(p_.transitions.size());
  const auto transitions = arena_.carve_array<ir::Transition>("step tables", edges);
  const auto predicates = arena_.carve_array<ir::Predicate>("step tables", p_.predicates.size());
  for (u32 i = 0; i < edges; ++i) {
    transitions[i] = p_.transitions[i];
    transitions[i].process = slots_.count();
    transitions[i].guard = guard_expression(all, i);
    if (transitions[i].guard == kNone) return kMore;
  }
  bool is_whole = false;  // what ends a run is looked for
  for (u32 i = 0; i < facts.steps.size(); ++i) is_whole = is_whole || facts.steps[i].may_fail;
  u32 checks = 0;
  for (u32 i = 0; i < predicates.size(); ++i) {
    ir::Predicate& predicate = predicates[i] = p_.predicates[i];
    if (predicate.process != kNone) predicate.process = slots_.count();
    u32 id = kNone;
    switch (predicate.kind) {
      case PredicateText::Kind::bad_prefix:
        id = alarm_expression(all, shape_.alarms[i].state);
        break;
      case PredicateText::Kind::goal:
      case PredicateText::Kind::invariant:
        is_whole = true;
        id = all.truth(predicate.kind == PredicateText::Kind::goal ? request_.reach
                                                                   : request_.invariant);
        break;
      case PredicateText::Kind::assertion:
        id = claim_expression(all, claim_checks_[checks++], true);
        break;
      default:
        id = all.constant(0);  // the end of a claim
        break;
    }
    if (id == kNone) return kMore;
    predicate.condition = id;
  }
  const u32 nobody_accepts =
      accepts ? all.nobody_is([](const promela::Place& place) { return place.is_accepting; })
              : all.constant(1);
  if (nobody_accepts == kNone) return kMore;
  ir::Program& text = text_of(all);
  text.property = slots_.count();
  text.processes[text.property] = p_.processes[p_.property];
  text.transitions = transitions;
  text.predicates = predicates;
  const std::string_view why = ir::why_stuttering_matters(text, is_whole, arena_);
  if (!why.empty()) return why.data();  // all of a text that ends
  ir::ConditionMaker maker(text, facts);
  for (const ir::Transition& t : transitions) facts.atoms.push(maker.make(t.guard, true));
  for (const ir::Predicate& q : predicates) facts.atoms.push(maker.make(q.condition, true));
  facts.atoms.push(maker.make(nobody_accepts, true));
  out = &text;
  return nullptr;
}

const char* Lowering::find_questions(std::span<const u32> cells, StepFinder& finder,
                                     ir::StepFacts& facts, const ir::Program*& text) {
  if (p_.property == kNone && p_.predicates.empty()) return nullptr;
  StateExpressions all(s_, facts_, slots_, p_, cells, arena_);
  if (p_.property != kNone) return find_automaton(all, facts, text);
  return find_goals(all, finder, facts, text);
}

}  // namespace xmc::promela_lower
