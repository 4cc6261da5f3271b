// The tableau: from a simplified formula to a generalized automaton with marks on its edges. A
// state is a set of obligations (obligations.h), an arc one way to meet all of them now. Arcs
// that another one makes needless are left out as soon as a state is expanded: Gastin and Oddoux,
// CAV 2001.
#pragma once

#include "ltl/formula/formula.h"
#include "ltl/graph/effort.h"
#include "ltl/graph/graph.h"
#include "xmc/arena.h"
#include "xmc/status.h"

namespace xmc::ltl {

// `out` is scratch of the arena.
Status make_tableau(const Formulas& formulas, Formula formula, Arena& arena, Effort& effort,
                    Graph& out);

}  // namespace xmc::ltl
