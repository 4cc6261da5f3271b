// Steps of a program with processes, for step tables.
//
// Each step is followed once through its guard and its assignments, with intervals: what it may
// write, whether that is a constant or an increment, and what its cells hold before.
#pragma once

#include "ir/ir.h"
#include "ir/tables/step_facts.h"

namespace xmc::ir {

// What is looked for beside deadlocks.
struct StepQuestion {
  bool goals = false;      // predicates: states that violate one are looked for
  bool automaton = false;  // what the automaton reads is visible
  u32 faults = 0;          // for tests of tests: what is forgotten, of StepFault
};

enum StepFault : u32 {
  kForgetCommitted = 1,     // a step that enters a committed location disables others
  kForgetFailingGuard = 2,  // a guard that may fail is one conjunct, and read by its step
};

// About as much scratch as that takes.
u64 step_facts_bytes(const Program& program);

void find_process_steps(const Program& program, const StepQuestion& question, StepFacts& facts);

}  // namespace xmc::ir
