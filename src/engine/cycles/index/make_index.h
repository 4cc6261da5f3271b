// How the states of a product get their numbers: by the index that a checkpoint has, or a new one,
// a rank where it fits and a perfect hash otherwise.
#pragma once

#include "engine/cycles/index/state_index.h"

namespace xmc {

class RankIndex;
class PhfIndex;

// Takes up the index of the product's checkpoint, or makes an index of the product's states in its
// memory, of which `reserve` bytes and the visited bits must be left. A rank has the expanded
// states only: the others are told from them. Without room for either kind, bytes_needed tells what
// a hash would take.
Status make_index(const Product& product, const IndexOptions& options, u64 reserve, RankIndex& rank,
                  PhfIndex& hash, IndexResult& result);

}  // namespace xmc
