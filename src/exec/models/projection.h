// From the states of a program as it is written to those of its reduced form, which has no values
// of dead variables, and so other places for the rest.
#pragma once

#include "ir/dead.h"
#include "xmc/arena.h"
#include "xmc/model.h"

namespace xmc {

// The map keeps references to all three.
StateMap make_projection(const ir::Program& whole, const ir::Program& reduced,
                         const ir::DeadVariables& dead, Arena& arena);

}  // namespace xmc
