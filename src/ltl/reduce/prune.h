// What components tell about a graph: states that lead to no accepting component go, marks that
// decide nothing become alike, and sets that are then the same everywhere go, too.
#pragma once

#include "ltl/graph/graph.h"
#include "xmc/arena.h"

namespace xmc::ltl {

// What the marks of arcs on no accepting cycle shall be. They decide nothing, but reductions
// compare them; sometimes the one choice makes more states alike, sometimes the other.
enum class Idle : u8 { without_marks, with_marks };

// `by_state`: the graph has one set, of all arcs of a state or none, and shall stay so.
void prune(Graph& graph, Arena& arena, bool by_state, Idle idle);

}  // namespace xmc::ltl
