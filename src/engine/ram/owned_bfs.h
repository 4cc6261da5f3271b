// Breadth-first search in RAM by several owners, each with a table of its own: run_bfs() of one of
// them. A successor goes to its owner (engine/search/exchange.h) and is inserted there, so that
// insertion, which is most of the work of compiled models, is divided as well as expansion.
//
// States, transitions, levels and deadlocks are those of one owner, whatever the timing. A level is
// always finished, also when a violation was found in it, and the smallest violating state is the
// one that counts, or the smallest one with an erroneous step if no state of the level is bad; on
// the way back each step is to the smallest predecessor. So the counterexample,
// a shortest one, is the same at every run.
//
// Owner 0 is the one who talks: it asks the outside whether to go on, for all, and its side stack
// has the path, as words.
#pragma once

#include "engine/ram/ram_search.h"
#include "xmc/peers.h"

namespace xmc {

// Fills the outcome of ram.search with the figures of this owner; violation, path and why it ended
// are those of all. Only owner 0's control is asked.
void run_owned_bfs(RamSearch& ram, Peers& peers);

// State i of a path of `steps` steps, at owner 0.
void load_owned_path(RamSearch& ram, u64 steps, u64 i, Word* out);

}  // namespace xmc
