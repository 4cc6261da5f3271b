// CyclesByBits: accepting cycles with one bit for each state, which gets its number from an index
// (index/state_index.h): by two depth-first searches, or by searches from all accepting states.
// Both indexes are here, because a search takes up the one that a checkpoint has.
#pragma once

#include "engine/cycles/bits/double_dfs.h"
#include "engine/cycles/index/phf_index.h"
#include "engine/cycles/index/rank_index.h"
#include "engine/cycles/kept_cycle.h"

namespace xmc {

class CyclesByBits {
 public:
  // Without room, nothing was searched, and bytes_needed are those of the memory that the search
  // would need.
  // Among the expanded states (bits/iddfs.h); `all`: there are no others.
  Status search(const Product& product, bool all, KeptCycle& cycle, u64& bytes_needed);
  // In the whole product, with ranks for numbers and no other index.
  Status search_ranked(const Product& product, KeptCycle& cycle, u64& bytes_needed);
  // The same, but only whether there is a cycle.
  Status prove_ranked(const Product& product, bool& cycle, u64& bytes_needed);
  // A shortest lasso of the whole product (bits/gastin_moro.h).
  Status search_shortest(const Product& product, KeptCycle& cycle, u64& bytes_needed);

 private:
  Status search_with(const Product& product, const IndexOptions& options, CycleResult& result,
                     u64& bytes_needed);
  static Status keep(const Product& product, const CycleResult& result, KeptCycle& cycle);

  RankIndex rank_;
  PhfIndex hash_;
};

}  // namespace xmc
