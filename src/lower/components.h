// The property automaton's components: which of its locations can lie on an accepting cycle.
//
// A cycle of the product moves the automaton along a cycle of its location graph, so it
// stays in one strongly connected component of it. Locations of components without an accepting
// cycle are in class 0: states there need not be looked at for cycles, which are a third to five
// sixths of them in the BEEM products. Where the other components have no cycle that avoids
// accepting locations, every cycle in them is accepting, and Program::weak_property is set.
#pragma once

#include "ir/ir.h"
#include "xmc/arena.h"

namespace xmc {

// After the range analysis, which says what transitions there are. `errors_lead_on`: an erroneous
// step takes the property to its first location, and steps follow; otherwise no cycle has one.
void mark_components(ir::Program& program, bool errors_lead_on, Arena& arena);

}  // namespace xmc
