// ForwardFinder: accepting cycles by marks that are carried along the edge file (edges/owcty.h),
// and the checkpoints of such a search. What it leaves is searched for a cycle as any core is.
#pragma once

#include "engine/cycles/edges/owcty.h"
#include "engine/cycles/edges/product_edges.h"
#include "engine/cycles/kept_cycle.h"
#include "engine/cycles/lasso_finder.h"

namespace xmc {

class ForwardFinder {
 public:
  // In the whole product. If the memory is too little for the marks, or for what they leave, or
  // `elsewhere` and SearchOptions say so, bytes_needed are those that it would take.
  Status search_all(const Product& product, bool elsewhere, ProductEdges& edges, LassoFinder& lasso,
                    KeptCycle& cycle, u64& bytes_needed);

  void forget() { checkpoint_ = {}; }
  PassCheckpoint& checkpoint() { return checkpoint_; }
  // Searches that went on from one.
  u64 resumed() const { return checkpoint_.resumed; }

 private:
  Status go_on(const Product& product, bool& resumed);
  Status run(const Product& product, ForwardSearch& search, ProductEdges& edges);
  Status pass(const Product& product, ForwardSearch& search, EdgeReader& reader, WorkPoll& poll);
  Status save(const Product& product, ForwardSearch& search);
  Status take(const Product& product, ForwardSearch& search, ProductEdges& edges,
              LassoFinder& lasso, KeptCycle& cycle, u64& bytes_needed);

  Owcty owcty_;
  PassCheckpoint checkpoint_;
};

}  // namespace xmc
