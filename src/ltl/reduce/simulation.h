// Reductions by direct simulation (similarity.h). States that simulate each other become one,
// and arcs that better ones of the same state stand for go.
#pragma once

#include "ltl/graph/effort.h"
#include "ltl/graph/graph.h"
#include "xmc/status.h"

namespace xmc::ltl {

// Whether the graph became smaller. Large graphs are left as they are, and so is one for which the
// effort does not do. States may become unreachable.
bool reduce_by_simulation(Graph& graph, Arena& arena, Effort& effort);

// Takes letters from arcs where a better arc of the same state has them: fewer choices for a run,
// and so fewer states of a product, at the price of longer guards. The graph has accepting states
// and was reduced; `graph` becomes another one in scratch.
Status sharpen(Graph& graph, Arena& arena, Effort& effort);

}  // namespace xmc::ltl
