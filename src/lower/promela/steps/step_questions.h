// The steps of a finished program, for step tables, and what a run looks for in it: goals, or what
// the automaton of a product reads, as conditions of expressions over cells (state_expressions.h).
#pragma once

#include "ir/tables/step_facts.h"
#include "lower/promela/layout/layout.h"
#include "lower/promela/promela_lower.h"
#include "lower/promela/property.h"
#include "lower/promela/steps/step_record.h"

namespace xmc::promela_lower {

// Of a program whose steps were recorded.
struct AskedSteps {
  const Layout& layout;
  const StepRecord& record;
  const PromelaRequest& request;
  const Property& property;
  const ir::RuleProgram& program;
  Arena& arena;
};

// Says why there are none; null: they were found, and `text` has the expressions that they need.
const char* find_steps(const AskedSteps& asked, ir::StepFacts& facts, const ir::Program*& text);

}  // namespace xmc::promela_lower
