// Steps of a program with processes on states that are known in part (xmc/partial.h).
//
// The judge's way of carrying out transitions (exec/processes/step_cells.h), on cells that are
// watched: reading one that is not known ends the run. Values that never occur together are put
// together here, too; where the range analysis has shown that a result cannot be, that combination
// is none, and the step counts as disabled there.
#pragma once

#include "ir/ir.h"
#include "xmc/arena.h"
#include "xmc/model.h"
#include "xmc/partial.h"

namespace xmc {

// Leaves `out` empty for a program whose steps cannot be told apart like this: a property with
// assignments of its own, or a counter of fairness.
void make_partial_processes(const ir::Program& program, ErrorRule errors, Arena& arena,
                            PartialSteps& out);

}  // namespace xmc
