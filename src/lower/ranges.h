// Range analysis: which values each variable can hold, and which checks can never fail.
//
// An interval analysis over the guarded commands. Global variables and channel cells have one
// interval each; a local variable has one per location of its process, because only its own process
// changes it and tests like `j < 3` are made one location before the assignment they protect.
// Guards narrow the intervals of a step (conjunctions of comparisons). The ascending phase widens
// to constants of the model, two descending passes win back precision. The result is a proof, not a
// guess: a state can never hold a value outside its ranges, so narrow slots lose nothing.
#pragma once

#include "ir/ir.h"
#include "xmc/arena.h"

namespace xmc {

// Fills lo and hi of every variable, Expr::may_fail and check, Target::check_*,
// Transition::reachable, location flags kReachable, may_error and error_state. With
// want_error_state, and if some step can be erroneous, the error state (everything 0, process 0 at
// an impossible location) and all that follows from it is inside the ranges.
void analyse_ranges(ir::Program& program, Arena& arena, bool want_error_state);

}  // namespace xmc
