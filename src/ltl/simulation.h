// Reduction by direct simulation (Etessami, Wilke and Schuller; with marks on arcs as in Babiak et
// al., "Compositional approach to suspension", 2013). State s is simulated by t if for each letter
// that an arc of s takes, t has an arc with at least its marks to a state that simulates its
// target. States that simulate each other become one, and arcs that a better one of the same state
// stands for go.
#pragma once

#include "ltl/effort.h"
#include "ltl/graph.h"

namespace xmc::ltl {

// Whether the graph became smaller. Large graphs are left as they are, and so is one for which the
// effort does not do. States may become unreachable.
bool reduce_by_simulation(Graph& graph, Arena& arena, Effort& effort);

}  // namespace xmc::ltl
