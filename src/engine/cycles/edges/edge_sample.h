// How many steps of a product its edge file would have, by a sample: those between states of one
// component of the automaton that can accept. The file costs by its edges, and a search with bits
// by the states; some hundred reads tell beforehand which of them are more.
#pragma once

#include "engine/search/product.h"
#include "xmc/status.h"
#include "xmc/types.h"

namespace xmc {

struct EdgeSample {
  u64 states = 0;
  u64 edges = 0;
};

// All states are expanded. Overwrites the buffer of successors.
Status sample_edges(const Product& product, EdgeSample& sample);

}  // namespace xmc
