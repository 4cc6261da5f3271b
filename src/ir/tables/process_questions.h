// What is asked about states, in the conditions of step tables: goals, and what an automaton reads.
// The steps themselves are found by process_steps.
#pragma once

#include "ir/tables/conditions.h"
#include "ir/tables/step_facts.h"

namespace xmc::ir {

// Whether what was said so far depends on cells of the automaton.
void find_automaton(const Program& p, StepFacts& f);
// A state that violates a predicate is what is looked for.
void find_goals(const Program& p, ConditionMaker& conditions, StepFacts& f);
void find_atoms(const Program& p, ConditionMaker& conditions, StepFacts& f);

}  // namespace xmc::ir
