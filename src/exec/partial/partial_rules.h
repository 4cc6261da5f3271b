// Steps of a program with rules on states that are known in part (xmc/partial.h).
//
// The judge's walk over bodies (exec/rules/body_judge.h), on leaves that are watched: reading one
// that is not known ends the run. A step is an instance of a rule. One of lower priority has those
// of higher priority run before it, which may ask for fields of their own.
//
// A step to a state that is assumed away leads nowhere, but it is there, and it is no lack of
// change.
#pragma once

#include "ir/ir.h"
#include "xmc/arena.h"
#include "xmc/partial.h"

namespace xmc {

// Leaves `out` empty for a program whose steps cannot be told apart like this: one with a counter
// of fairness, an erroneous startstate, or both a property and assumptions; and where sets of
// states are of no use: with symmetry, covers and liveness properties.
void make_partial_rules(const ir::RuleProgram& program, Arena& arena, PartialSteps& out);

}  // namespace xmc
