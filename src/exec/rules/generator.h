// Generators (RuleProgram::generates) on the machine: bodies that make any number of successors,
// and chains, the statements behind a step that keeps control.
//
// A rule is asked; where a step of it keeps control, the state behind is remembered with the rule
// that goes on. When the body is done, these chains are followed depth first, each to all of its
// ends: the steps of that rule alone, until control is given up, or the rule has no step, which
// ends the chain there. All executions keep this order: the successors and errors of a body, then
// its chains one by one.
#pragma once

#include "exec/rules/rule_output.h"

namespace xmc {

Expansion generate(RuleVm& vm, const Word* state, const SuccessorBuffer& out);

// The same with the bodies of compiled code.
Expansion generate_compiled(RuleVm& vm, const Word* state, const SuccessorBuffer& out);

}  // namespace xmc
