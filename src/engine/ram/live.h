// Whether what has to stay reachable (Model::live) does, for a search in memory: states that lead
// to where a property is true are marked, by passes over all states from the last to the first,
// each of which expands what is not marked yet.
#pragma once

#include "engine/ram/ram_search.h"

namespace xmc {

// After a complete breadth-first search without a violation, whose level marks are still there. A
// state from which a property cannot become true any more is a violation, with its path.
void run_live(RamSearch& ram);

}  // namespace xmc
