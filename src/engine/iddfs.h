// Accepting cycles on the fly: every now and then a breadth-first search has its states so far
// numbered and searched for cycles (Edelkamp, Sanders, Simecek: "Semi-external LTL model checking",
// CAV 2008). A cycle among the first levels is one of the whole product; none there proves nothing.
//
// The levels that are there in full are not closed: successors of the deepest one may be anywhere,
// and a perfect hash would take them for others. So its states are not expanded (indexed_search.h).
//
// A check costs about as much as the search did up to there. So one is due when the states have
// doubled since the last one: all checks together are at most twice the last one.
#pragma once

#include "engine/double_dfs.h"
#include "engine/phf_index.h"
#include "engine/rank_index.h"
#include "engine/state_index.h"

namespace xmc {

class CheckSchedule {
 public:
  static constexpr u64 kFirst = 1 << 14;  // states: fewer are checked soon enough

  bool due(u64 states) const { return states >= next_; }
  void checked(u64 states) { next_ = states * 2; }

 private:
  u64 next_ = kFirst;
};

// Numbers the states and looks for an accepting cycle among those that are expanded; all of
// product.memory is used. The same for a whole product.
Status check_prefix(const Product& product, const IndexOptions& options, RankIndex& rank,
                    PhfIndex& hash, CycleResult& result);

}  // namespace xmc
