// A model that knows its states up to permutations of scalarsets only: each successor is replaced
// by its canonical form (exec/models/canonical.h). What a step does, and what holds in a state, is
// the same for all permutations of it, so that the search sees one state for each orbit.
//
// A path of such a model is a path of the whole one up to permutations: replay finds that one step
// by step (trace/replay.h), and names stay the same along a trace.
#pragma once

#include "ir/ir.h"
#include "xmc/arena.h"
#include "xmc/model.h"

namespace xmc {

// `out` may be `inner`.
void make_symmetric(const ir::Symmetry& symmetry, const Model& inner, Arena& arena, Model& out);

}  // namespace xmc
