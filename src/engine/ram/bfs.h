// Breadth-first search in RAM, the yardstick of all engines.
//
// The table numbers states in order of discovery, so each level is a range of it and no queue
// exists. Successors of many states are collected and inserted as one batch, whose cache misses
// overlap. All figures are exact: states, transitions with multiplicity, levels, deadlocks.
//
// A state is judged when it is expanded, so the first bad state in breadth-first order lies on a
// level as low as any. An erroneous step comes after its state: the rest of the level is judged
// before it counts (Search::is_nearer). So no counterexample has fewer steps. Its path is found
// afterwards, see trace_back().
//
// Memory: the table, and 4 bytes per level on its side stack: the first index of each level, which
// the way back needs. When memory ends the search stops with StopReason::ram and keeps all it has.
#pragma once

#include "engine/ram/ram_search.h"

namespace xmc {

// Fills the outcome. With a violation, the path (first and last state included) is on the side
// stack from ram.path_begin on. Without one, entry d of the side stack is the first index of
// level d. In a product the accepting states are marked with kAcceptingNote. Only the call at a
// level's end may fail.
Status run_bfs(RamSearch& ram);

// Finds a path to `target`, which lies on level `level`: scans level after level backwards for a
// state that has the next one as a successor, at most one more expansion of everything. The path
// takes the places of the level marks on the side stack, entries 0 to level. With `keep_marks` it
// comes behind everything that is there, from ram.path_begin on; without room for that it takes
// their places after all, and nothing stops it. Otherwise it may be stopped.
Status trace_back(RamSearch& ram, StateIndex target, u64 level, bool keep_marks);

}  // namespace xmc
