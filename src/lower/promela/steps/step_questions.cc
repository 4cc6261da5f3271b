#include "lower/promela/steps/step_questions.h"

#include <new>

#include "ir/tables/conditions.h"
#include "ir/tables/stutter.h"
#include "lower/promela/steps/state_expressions.h"
#include "lower/promela/steps/step_facts.h"
#include "xmc/scratch.h"

namespace xmc::promela_lower {

using ir::Condition;
using promela::Action;
using promela::ActionKind;
using promela::ExprId;
using promela::Op;
using promela::PlaceId;

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

// The program, with the expressions in the place of bodies, and slots as processes.
ir::Program& text_of(const AskedSteps& asked, StateExpressions& all) {
  auto& text =
      *::new (asked.arena.carve("step tables", sizeof(ir::Program))) ir::Program(asked.program);
  text.has_rules = false;
  text.exprs = all.carve(asked.arena);
  text.processes = all.carve_processes(1, asked.arena);
  return text;
}

const char* find_goals(const AskedSteps& asked, StateExpressions& all, StepFinder& finder,
                       ir::StepFacts& facts, const ir::Program*& text) {
  GoalMaker goals(asked.layout.s, all);
  for (const ExprId id : {asked.request.reach, asked.request.invariant}) {
    if (id != kNone) goals.express(id);
  }
  text = &text_of(asked, all);
  ir::ConditionMaker maker(*text, facts);
  for (const ir::Predicate& predicate : asked.program.predicates) {
    const bool is_goal = predicate.kind == PredicateText::Kind::goal;
    ir::Range inputs;
    bool may_fail = false;
    if (!finder.list_inputs(predicate.condition, inputs, may_fail))
      return "a predicate asks whether a process can move";
    const ExprId id = is_goal ? asked.request.reach : asked.request.invariant;
    const u32 condition = goals.condition(id, is_goal, maker, facts, inputs, may_fail);
    // A goal that fails to evaluate is not reached; an invariant does not hold then.
    if (is_goal) facts.conditions[condition].may_fail = false;
    facts.goals.push(condition);
  }
  return nullptr;
}

// --- Automata ---

u32 claim_before_expression(const promela::System& s, StateExpressions& all,
                            const promela::Place& place, u32 option);

u32 claim_option_expression(const promela::System& s, StateExpressions& all,
                            const promela::Place& place, u32 option) {
  const Action& a = s.actions[s.options[place.first_option + option].action];
  if (a.kind == ActionKind::condition) return all.truth(a.value);
  if (a.kind == ActionKind::otherwise)
    return all.negation(claim_before_expression(s, all, place, option));
  if (a.kind != ActionKind::indivisible) return all.constant(1);
  const promela::Place& body = s.places[a.body];
  return claim_before_expression(s, all, body, body.option_count);
}

// That one of the options in front of it can be executed.
u32 claim_before_expression(const promela::System& s, StateExpressions& all,
                            const promela::Place& place, u32 option) {
  u32 out = all.constant(0);
  for (u32 i = 0; i < option; ++i) out = all.either(out, claim_option_expression(s, all, place, i));
  return out;
}

// As claim_body().
u32 claim_expression(const AskedSteps& asked, StateExpressions& all, const ClaimWay& way,
                     bool check) {
  const promela::System& s = asked.layout.s;
  u32 out = all.constant(1);
  for (u32 i = 0; i < way.count; ++i) {
    const ClaimStep& step = asked.property.steps[way.first + i];
    const promela::Place& place = s.places[step.place];
    if (step.is_first)
      out = all.both(out, all.negation(claim_before_expression(s, all, place, step.option)));
    out = all.both(out, claim_option_expression(s, all, place, step.option));
    if (!check || i + 1 < way.count) continue;
    const Action& a = s.actions[s.options[place.first_option + step.option].action];
    out = all.either(all.negation(out), all.truth(a.value));
  }
  return out;
}

u32 cubes_expression(const AskedSteps& asked, StateExpressions& all,
                     std::span<const ltl::Cube> cubes) {
  u32 out = all.constant(0);
  for (const ltl::Cube& cube : cubes) {
    u32 one = all.constant(1);
    for (u32 i = 0; i < asked.request.propositions.size(); ++i) {
      if ((cube.positive >> i & 1) != 0)
        one = all.both(one, all.truth(asked.request.propositions[i]));
      if ((cube.negative >> i & 1) != 0)
        one = all.both(one, all.negation(all.truth(asked.request.propositions[i])));
    }
    out = all.either(out, one);
  }
  return out;
}

u32 guard_expression(const AskedSteps& asked, StateExpressions& all, u32 edge) {
  if (asked.request.automaton != nullptr) {
    const ltl::Edge& origin = asked.request.automaton->edges[asked.property.shape.origins[edge]];
    return cubes_expression(asked, all, asked.request.automaton->guard(origin));
  }
  const ClaimWay& way = asked.property.edges[edge];
  if (way.count != kNone) return claim_expression(asked, all, way, false);
  return all.nobody_is([](const promela::Place& place) { return place.is_progress; });
}

// As alarm_body().
u32 alarm_expression(const AskedSteps& asked, StateExpressions& all, u32 state) {
  const ltl::Automaton& from = *asked.request.automaton;
  if (from.accepting[state] != 0) return all.constant(0);
  u32 out = all.constant(0);
  for (const ltl::Edge& edge : from.edges_of(state)) {
    if (from.accepting[edge.target] != 0)
      out = all.either(out, cubes_expression(asked, all, from.guard(edge)));
  }
  return all.negation(out);
}

bool has_accepting_place(const Layout& layout) {
  for (u32 q = 0; q < layout.slots.count(); ++q) {
    for (PlaceId id = 0; id < layout.s.places.size(); ++id) {
      if (layout.s.places[id].is_accepting &&
          layout.slots.find_type(q, layout.slots.proctype_of(id)) != kNone &&
          layout.slots.code(q, id) != 0)
        return true;
    }
  }
  return false;
}

const char* find_automaton(const AskedSteps& asked, StateExpressions& all, ir::StepFacts& facts,
                           const ir::Program*& out) {
  constexpr const char* kMore = "the property asks for more than values and places";
  const bool accepts = asked.request.accepting && has_accepting_place(asked.layout);
  if (accepts && asked.request.claim != kNone)
    return "accept labels of processes count beside those of the claim";
  const u32 edges = static_cast<u32>(asked.program.transitions.size());
  const auto transitions = asked.arena.carve_array<ir::Transition>("step tables", edges);
  const auto predicates =
      asked.arena.carve_array<ir::Predicate>("step tables", asked.program.predicates.size());
  for (u32 i = 0; i < edges; ++i) {
    transitions[i] = asked.program.transitions[i];
    transitions[i].process = asked.layout.slots.count();
    transitions[i].guard = guard_expression(asked, all, i);
    if (transitions[i].guard == kNone) return kMore;
  }
  bool is_whole = false;  // what ends a run is looked for
  for (u32 i = 0; i < facts.steps.size(); ++i) is_whole = is_whole || facts.steps[i].may_fail;
  u32 checks = 0;
  for (u32 i = 0; i < predicates.size(); ++i) {
    ir::Predicate& predicate = predicates[i] = asked.program.predicates[i];
    if (predicate.process != kNone) predicate.process = asked.layout.slots.count();
    u32 id = kNone;
    switch (predicate.kind) {
      case PredicateText::Kind::bad_prefix:
        id = alarm_expression(asked, all, asked.property.shape.alarms[i].state);
        break;
      case PredicateText::Kind::goal:
      case PredicateText::Kind::invariant:
        is_whole = true;
        id = all.truth(predicate.kind == PredicateText::Kind::goal ? asked.request.reach
                                                                   : asked.request.invariant);
        break;
      case PredicateText::Kind::assertion:
        id = claim_expression(asked, all, asked.property.checks[checks++], true);
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
  ir::Program& text = text_of(asked, all);
  text.property = asked.layout.slots.count();
  text.processes[text.property] = asked.program.processes[asked.program.property];
  text.transitions = transitions;
  text.predicates = predicates;
  const std::string_view why = ir::why_stuttering_matters(text, is_whole, asked.arena);
  if (!why.empty()) return why.data();  // all of a text that ends
  ir::ConditionMaker maker(text, facts);
  for (const ir::Transition& t : transitions) facts.atoms.push(maker.make(t.guard, true));
  for (const ir::Predicate& q : predicates) facts.atoms.push(maker.make(q.condition, true));
  facts.atoms.push(maker.make(nobody_accepts, true));
  out = &text;
  return nullptr;
}

}  // namespace

const char* find_steps(const AskedSteps& asked, ir::StepFacts& facts, const ir::Program*& text) {
  const Layout& layout = asked.layout;
  const ir::RuleProgram& program = asked.program;
  const auto cells = scratch_array<u32>(asked.arena, StepRecord::kName, layout.slots.leaves());
  for (u32 leaf = 0; leaf < cells.size(); ++leaf) cells[leaf] = layout.cell(leaf);
  facts.exact_errors = true;
  facts.forgets_heads = asked.request.forgets_heads;
  facts.spares_memory = !asked.request.as_begun;
  StepFinder finder(layout.s, layout.facts, layout.slots, program, asked.record, cells, facts);
  const char* const why_not = finder.run();
  if (why_not != nullptr) return why_not;
  if (program.property == kNone && program.predicates.empty()) return nullptr;
  StateExpressions all(layout.s, layout.facts, layout.slots, program, cells, asked.arena);
  if (program.property != kNone) return find_automaton(asked, all, facts, text);
  return find_goals(asked, all, finder, facts, text);
}

}  // namespace xmc::promela_lower
