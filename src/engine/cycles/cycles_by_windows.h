// CyclesByWindows: accepting cycles of a whole product whose bits do not fit the memory
// (windows/window_core.h), and its checkpoints.
#pragma once

#include "engine/cycles/edges/product_edges.h"
#include "engine/cycles/kept_cycle.h"
#include "engine/cycles/windows/window_core.h"

namespace xmc {

class CyclesByWindows {
 public:
  bool fits(const Product& product) const {
    return WindowCore::least_bytes(product.states) <= ProductEdges::work_of(product).size();
  }
  Status search(const Product& product, ProductEdges& edges, KeptCycle& cycle);

  // A checkpoint has found such a search.
  bool under_way() const { return checkpoint_.stage != WindowCheckpoint::Stage::none; }
  void forget() { checkpoint_ = {}; }
  WindowCheckpoint& checkpoint() { return checkpoint_; }
  // Searches that went on from one.
  u64 resumed() const { return checkpoint_.resumed; }

 private:
  WindowCore core_;
  WindowCheckpoint checkpoint_;
};

}  // namespace xmc
