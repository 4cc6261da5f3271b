// States that were enqueued twice: their counts are taken back.
#pragma once

#include <span>

#include "engine/levels/frontier.h"
#include "store/tables/cache_table.h"

namespace xmc {

// Finds the entries of the queue that have their state from an earlier one: passes over the queue,
// each with the states of one class of hashes in a table in `memory`, before several of them one
// that sets most states aside. Their counts are taken back, stats().states and levels set. Where a
// cache says which states it may have forgotten, no others are looked at; `memory` does not have
// its filter.
Status find_repeats(Frontier& frontier, std::span<u8> memory, const CacheTable* cache);

}  // namespace xmc
