// Two executions of one model side by side: every expansion is made twice, by the fast model and by
// the judge, and must agree in successors, order, labels, flags and errors. A difference is a bug
// of ours and ends the run (exit 70) before anything can be concluded from it. Used by --paranoid
// and by the differential tests.
#pragma once

#include "xmc/arena.h"
#include "xmc/model.h"

namespace xmc {

// `out` expands like `fast`, checked by `judge`; the judge's buffers are carved from the arena.
void make_compared(const Model& fast, const Model& judge, Arena& arena, Model& out);

}  // namespace xmc
