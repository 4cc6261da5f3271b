// The last rewriting before the tableau: F a | F b becomes F (a | b), everywhere. The simplifier
// keeps the two apart where a or b is universal, since the duals G a & G b of such formulas are
// better off apart: G F p is an obligation of its own. A disjunction, though, is one state that
// waits, rather than one for each operand. Operands with F e = e, as G F p, wait along with them.
#pragma once

#include "ltl/formula/formula.h"
#include "xmc/arena.h"

namespace xmc::ltl {

// What a limit stops is in formulas.status().
Formula join_eventualities(Formulas& formulas, Formula formula, Arena& arena);

}  // namespace xmc::ltl
