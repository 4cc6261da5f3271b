// EdgeDfs: the two searches of bits/double_dfs.h down the edge file. States are their numbers
// (bits/edge_product.h), so there is no index, and the model is not evaluated again.
#pragma once

#include "engine/cycles/bits/edge_product.h"
#include "engine/cycles/edges/product_edges.h"
#include "engine/cycles/kept_cycle.h"

namespace xmc {

class EdgeDfs {
 public:
  // In the whole product. Without room, nothing was searched, and bytes_needed are those of the
  // memory that it would need.
  Status search(const Product& product, ProductEdges& edges, KeptCycle& cycle, u64& bytes_needed);

 private:
  Status run(const Product& part, u64 least, EdgeFile& edges, LassoResult& lasso);

  EdgeProduct numbers_;
};

}  // namespace xmc
