// LostStates: states from which what has to stay reachable (Model::live) is lost, by a backward
// fixpoint over the edge file. At first all states are open but those where the property is true.
// Passes close what has an edge to a closed state, until nothing changes. What is open then can
// never get there, and the first such state is as near to the beginning as any: states have
// breadth-first numbers.
//
// Memory: one bit per state. A pass reads the blocks with open states only.
#pragma once

#include "engine/cycles/edges/edge_pass.h"
#include "engine/cycles/edges/product_edges.h"
#include "engine/cycles/kept_cycle.h"

namespace xmc {

class Lines;

class LostStates {
 public:
  void forget() { property_ = kNone; }
  // A state from which a property cannot become true is kept as a cycle of one state.
  // bytes_needed: the memory is too little for the bits.
  Status search_all(const Product& product, ProductEdges& edges, KeptCycle& cycle,
                    u64& bytes_needed);
  // Of that state, from 0 on; kNone: there is none.
  u32 property() const { return property_; }

  void lines(Lines& io);

 private:
  Status open_all(const Product& product, u32 property);
  Status close(const Product& product, ProductEdges& edges);

  StateBits open_;
  u32 property_ = kNone;
};

}  // namespace xmc
