// How many pages a number of keys takes, and what that costs in memory: known before anything is
// built.
//
// The number of keys of a page is Poisson distributed. The mean is 1.25 standard deviations below
// the capacity (97.7% load for 3072 keys), chosen by calculation: at a lower load the file grows,
// at a higher one the RAM does. 0.11% of the keys find no room and are in the next layer.
#pragma once

#include "phf/page.h"
#include "xmc/types.h"

namespace xmc::phf {

// Pages of the first layer (`layer` 0) or of a later one for so many keys.
//
// The keys of a page are Poisson distributed. The first layer's mean is 1.25 standard deviations
// below the capacity (97.7% load for pages of 3000 keys): 0.1% of the keys find no room and go to
// the second layer, which queries keep in RAM. A later layer has a distance of 3 deviations.
u64 pages_for(const PageShape& shape, u64 keys, u32 layer);

struct Plan {
  u64 pages = 0;         // of the first layer
  u64 bumped_keys = 0;   // an upper estimate of those in later layers
  u64 pinned_bytes = 0;  // RAM that queries need for these
  u64 file_bytes = 0;
  u64 build_bytes = 0;  // the least memory to build in
};
Plan plan(const PageShape& shape, u64 keys, u32 block_bytes);

}  // namespace xmc::phf
