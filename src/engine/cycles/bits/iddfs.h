// Accepting cycles on the fly: every now and then a breadth-first search has its states so far
// numbered and searched for cycles (Edelkamp, Sanders, Simecek: "Semi-external LTL model checking",
// CAV 2008). A cycle among the first levels is one of the whole product; none there proves nothing.
//
// The levels that are there in full are not closed: successors of the deepest one may be anywhere,
// and a perfect hash would take them for others. So its states are not expanded (indexed_search.h).
//
// A check costs about as much as the search did up to there. So one should be made when the states
// have doubled since the last one: all checks together are at most twice the last one.
#pragma once

#include "engine/cycles/bits/double_dfs.h"
#include "engine/cycles/index/phf_index.h"
#include "engine/cycles/index/rank_index.h"
#include "engine/cycles/index/state_index.h"

namespace xmc {

// Numbers the states and looks for an accepting cycle among those that are expanded; all of
// product.memory is used. The same for a whole product.
Status check_prefix(const Product& product, const IndexOptions& options, RankIndex& rank,
                    PhfIndex& hash, CycleResult& result);

}  // namespace xmc
