// Accepting cycles of a Büchi product by nested depth-first search, in the form of Schwoon and
// Esparza ("A note on on-the-fly verification algorithms", TACAS 2005): two bits of colour per
// state.
//
// The outer (blue) search turns white states cyan while they are on its stack. A step between two
// cyan states, one of them accepting, closes an accepting cycle at once. When an accepting state is
// left, an inner (red) search looks from it for any cyan state; reaching one closes a cycle through
// the accepting state. States that the inner search has seen stay red for ever, which the
// post-order makes sound. A state whose successors are all red becomes red without an inner search.
//
// Differences from the paper, none of which changes the answer: all successors of a state are
// generated at once and looked up as one batch, so the cyan test is made for all of them when the
// state is entered (a successor that turns cyan later is left again before its turn comes); the
// inner search expands states again instead of storing edges.
//
// The stack is data on the table's side stack. A frame is its unvisited successors, in reverse,
// with a marker for the state itself on top; taking a successor moves the marker down by one. So
// the frame of the predecessor is always directly below, and the markers from the bottom up are the
// path.
//
// When memory ends: StopReason::ram. With a depth limit the states at that depth of the stack are
// not expanded, even if a shorter way leads to them; a cycle found is real, but nothing is proved
// without one.
#pragma once

#include "engine/ram/ram_search.h"

namespace xmc {

// on_the_fly: the table is empty, and states, transitions and violations are found here. Otherwise
// a breadth-first search has completed without a violation: its level marks are on the side stack,
// and only cycles are looked for, in one component of the automaton after the other. A
// counterexample is left on the side stack from ram.path_begin on.
void run_nested_dfs(RamSearch& ram, bool on_the_fly);

// Behind such a breadth-first search, or between two of its levels: just whether there is a cycle
// among the states before `expanded`, whose successors are all in the table. Table, level marks and
// outcome are as they were then. A stop is StopReason::ram where the stack does not fit.
Result<bool> has_accepting_cycle(RamSearch& ram, StateIndex expanded);

}  // namespace xmc
