// Sticky steps: a set of steps such that every cycle of the state graph has one of them, or a step
// of another given set.
//
// A step can lie on no cycle of the steps that remain if
//  - a process would not come back to where it was: its edge is in no strongly connected component
//    of the process's remaining control graph;
//  - a cell would not get back its value: none of the step's edges old -> new is in a component of
//    the cell's remaining value graph (for cells of few values);
//  - it surely increases a cell that nothing that remains decreases, or the reverse.
// Such steps go until there are no more. Then all that enter one location become sticky, which one
// being a matter of what that removes and what it costs, and so on until nothing remains. (The idea
// is that of Kurshan, Levin, Minea, Peled and Yenigün 1998.)
#pragma once

#include "ir/tables/step_facts.h"
#include "ir/tables/step_tables.h"

namespace xmc::ir {

// Adds to the row `sticky`; steps of the row `given` are on as many cycles as they like. Where that
// takes too long all that remains becomes sticky.
void find_sticky(StepFacts& facts, const StepTables& tables, const u64* given, u64* sticky);

}  // namespace xmc::ir
