// The figures of a search that is divided among owners: most of them are sums.
#pragma once

#include <span>

#include "xmc/engine.h"
#include "xmc/peers.h"

namespace xmc {

// Adds those that can be added; levels, sizes and times stay those of `sum`.
void add_figures(SearchStats& sum, const SearchStats& other);
// The sums over all owners, at owner 0; those of the others are zeros then. Everybody calls it.
Status total_figures(Peers& peers, SearchStats& stats);
// What each of them has done, to owner 0. Everybody calls it.
Status tell_share(Peers& peers, const OwnerShare& mine, std::span<OwnerShare> shares);

}  // namespace xmc
