// From the stack of a nested search to the lasso that is reported. A depth-first path is long and
// winding; a person has to read it, so it is shortened where that is cheap.
//
// The cycle: a breadth-first search over the states of the found lasso alone, from one of its
// accepting states back to itself. The prefix: the same from the initial state to the nearest state
// of the cycle; after a complete breadth-first search, a shortest path to the cycle's earliest
// state instead. Each costs at most two expansions per state of the found lasso and 20 bytes for it
// on the side stack; if there is no room the lasso stays as it was found. Nothing here proves that
// it is the shortest.
#pragma once

#include "engine/ram/ram_search.h"

namespace xmc {

// The entries of the side stack from `begin` on are a path of distinct states whose last one has a
// step to `entry`, which is one of them; some state from `entry` on is accepting. When begin is not
// 0, the entries below are the level marks of a breadth-first search. Leaves the counterexample at
// ram.path_begin and its lengths in the outcome. It may be stopped before
// that.
Status finish_lasso(RamSearch& ram, u64 begin, StateIndex entry);

}  // namespace xmc
