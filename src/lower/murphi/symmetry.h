// Scalarsets as symmetry of a program (ir/symmetry.h): where their values are in a state.
#pragma once

#include "front/murphi/ast.h"
#include "ir/ir.h"
#include "xmc/arena.h"
#include "xmc/status.h"

namespace xmc {

// After the layout. Null where no scalarset has a name and two values: CMurphi does not reduce
// others either. Fails where there are more values than a search for permutations can hold.
Status find_symmetry(const murphi::System& system, Arena& arena, ir::RuleProgram& program);

}  // namespace xmc
