#include "ir/tables/process_questions.h"

namespace xmc::ir {

void find_automaton(const Program& p, StepFacts& f) {
  if (p.property == kNone) return;
  const auto is_there = [&](CellRange cells) {
    for (const Variable& v : p.variables) {
      const bool meets =
          cells.first < v.first_initial + v.size && v.first_initial < cells.first + cells.count;
      if (meets && v.process == p.property) return true;
    }
    return false;
  };
  bool any = false;
  for (u32 i = 0; i < f.reads.size() && !any; ++i) any = is_there(f.reads[i]);
  for (u32 i = 0; i < f.inputs.size() && !any; ++i) any = is_there(f.inputs[i].cells);
  for (u32 i = 0; i < f.conditions.size() && !any; ++i) {
    const Condition& c = f.conditions[i];
    any = c.kind == Condition::Kind::compare && is_there({c.cell, 1});
  }
  f.reads_automaton = any;
}

void find_goals(const Program& p, ConditionMaker& conditions, StepFacts& f) {
  for (const Predicate& q : p.predicates) {
    const bool goal = q.kind == PredicateText::Kind::goal;
    u32 condition = conditions.make(q.condition, goal);
    // A goal that fails to evaluate is not reached; an invariant does not hold then.
    if (goal) f.conditions[condition].may_fail = false;
    if (q.process != kNone)
      condition = conditions.all_of(conditions.location(q.process, q.location), condition);
    f.goals.push(condition);
  }
}

void find_atoms(const Program& p, ConditionMaker& conditions, StepFacts& f) {
  const Process& property = p.processes[p.property];
  for (u32 i = 0; i < property.transition_count; ++i) {
    const Transition& t = p.transitions[property.first_transition + i];
    if (t.guard != kNone) f.atoms.push(conditions.make(t.guard, true));
  }
  for (const Predicate& q : p.predicates) f.atoms.push(conditions.make(q.condition, true));
}

}  // namespace xmc::ir
