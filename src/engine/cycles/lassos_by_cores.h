// LassosByCores: accepting cycles by the cores of the edge file (edges/shortest_lasso.h), of
// growing parts of the product and of all of it: some lasso (`trim`), or a shortest one
// (`min-cex`). What it has proved of a part it need not prove again.
#pragma once

#include "engine/cycles/edges/product_edges.h"
#include "engine/cycles/edges/shortest_lasso.h"
#include "engine/cycles/kept_cycle.h"

namespace xmc {

class LassosByCores {
 public:
  enum class Wanted : u8 { any, shortest };

  // A part of the product. With all the memory there is, what is too much here may fit.
  Status look(const Product& product, Wanted wanted, ProductEdges& edges, KeptCycle& cycle);
  // Whether there is room for the bits of the whole product; `elsewhere`: SearchOptions may say no.
  static bool fits(const Product& product, bool elsewhere);
  // All of it. If the bits do not fit the memory, or `elsewhere` and SearchOptions say so, nothing
  // is searched, and bytes_needed are those of the bits.
  Status search_all(const Product& product, Wanted wanted, bool elsewhere, ProductEdges& edges,
                    KeptCycle& cycle, u64& bytes_needed);

  // Some lasso whose cycle is among these states, at the beginning of the product's memory;
  // `finished`: there is one.
  Status find_in(const Product& product, const StateBits& states, bool finished,
                 ProductEdges& edges, LassoResult& result);

  void lines(Lines& io);

 private:
  void start(const Product& product, ProductEdges& edges);
  Status find(const Product& product, Wanted wanted, bool all, ProductEdges& edges,
              LassoResult& result);

  ShortestLasso lasso_;
};

}  // namespace xmc
