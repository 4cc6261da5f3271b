// A model that leaves out steps: of the enabled ones only those of a stubborn set
// (exec/models/stubborn_set.h) are taken.
//
// What holds between the two models:
//  1. Successors are some of those of the inner model, in its order and with its labels: a path of
//     this one is a path of the inner one.
//  2. Deadlocks, accepting states, violated predicates and errors of a state are those of the inner
//     model: they are found out from all steps.
//  3. A state with an erroneous step has all its successors.
//  4. Steps of sets (Model::partial) are those of the inner model: they leave nothing out, and give
//     the same answers.
//  5. The successors depend on the system's part of the state alone. In a product each step keeps
//     all moves of the automaton.
#pragma once

#include "exec/models/stubborn_set.h"
#include "ir/ir.h"
#include "xmc/model.h"
#include "xmc/stepwise.h"

namespace xmc {

// `inner` executes `program`, of which the tables are. `out` may be `inner` itself. With
// `stepwise`, if it is given, only what is taken is made; without, the rest is made and dropped.
void make_stubborn(const ir::Program& program, const ir::StepTables& tables, StubbornRules rules,
                   const Model& inner, const Stepwise& stepwise, Arena& arena, Model& out);

// Steps of all states that had successors: those that were enabled, and those that were taken, by
// all executors so far; and the work of choosing (StubbornSet::work).
struct StubbornCounts {
  u64 enabled = 0;
  u64 taken = 0;
  u64 work = 0;
};
StubbornCounts stubborn_counts(const Model& model);

}  // namespace xmc
