// CyclesByMarks: accepting cycles by marks (edges/owcty.h) or values (edges/max_predecessors.h)
// that are carried along the edge file, and the checkpoints of such a search. What it leaves is
// searched for a cycle as any core is.
#pragma once

#include "engine/cycles/edges/max_predecessors.h"
#include "engine/cycles/edges/owcty.h"
#include "engine/cycles/edges/product_edges.h"
#include "engine/cycles/kept_cycle.h"
#include "engine/cycles/lassos_by_cores.h"

namespace xmc {

class CyclesByMarks {
 public:
  enum class Method : u8 { owcty, map };

  // A part of the product, by values. With all the memory there is, what is too much here may fit.
  Status look(const Product& product, ProductEdges& edges, LassosByCores& lasso, KeptCycle& cycle);
  static u64 bytes_to_look_at(u64 states);
  // In the whole product. If the memory is too little for the marks, or for what they leave, or
  // `elsewhere` and SearchOptions say so, bytes_needed are those that it would take.
  Status search_all(const Product& product, Method method, bool elsewhere, ProductEdges& edges,
                    LassosByCores& lasso, KeptCycle& cycle, u64& bytes_needed);

  void forget() { checkpoint_ = {}; }
  PassCheckpoint& checkpoint() { return checkpoint_; }
  // Searches that went on from one.
  u64 resumed() const { return checkpoint_.resumed; }

 private:
  Status start_owcty(const Product& product);
  Status start_map(const Product& product);
  Status run(const Product& product, ForwardSearch& search, ProductEdges& edges);
  Status pass(const Product& product, ForwardSearch& search, EdgeReader& reader, WorkPoll& poll);
  Status save(const Product& product, ForwardSearch& search);
  Status take(const Product& product, ForwardSearch& search, ProductEdges& edges,
              LassosByCores& lasso, KeptCycle& cycle, u64& bytes_needed);

  Owcty owcty_;
  MaxPredecessors map_;
  bool all_ = false;  // the whole product is searched, which leaves checkpoints
  PassCheckpoint checkpoint_;
};

}  // namespace xmc
