// Which checks can fail: after the ranges of all variables are known, an expression needs a
// run-time check only if its operands' ranges allow an erroneous index or divisor.
#pragma once

#include "ir/ir.h"
#include "xmc/arena.h"

namespace xmc {

// Fills Expr::check and may_fail, and revives transitions whose refuted guard may raise an error
// before it is found false. Returns whether any step can be erroneous.
bool mark_failures(ir::Program& program, Arena& arena);

}  // namespace xmc
