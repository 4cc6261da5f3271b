// --reduce steps: whether steps of this run's model can be left out, for what, and, as `auto`,
// whether that pays. What is found here depends on the model and the options of the run alone.
#pragma once

#include "cli/run/input/model_input.h"
#include "exec/models/stubborn.h"
#include "ir/steps.h"
#include "xmc/engine.h"

namespace xmc {

struct StepChoice {
  bool on = false;
  bool asked = false;       // by the command line, in so many words
  bool considered = false;  // --reduce is about steps
  ir::StepTables tables;
  StubbornRules rules;  // with `on` all that a run decides of its steps: plain numbers
  u64 hash = 0;         // of all that the choice of steps depends on
  std::string_view why_not;
};

// What the choice is made for.
struct StepQuestion {
  const Options& options;
  const LoadedModel& model;
  const EngineTraits& engine;
  DeadlockRule deadlock;
  // Of a run from a work directory: it has decided. 0: it is not known.
  bool decided = false;
  u64 most_work = 0;
};

Status choose_steps(const StepQuestion& question, Arena& arena, StepChoice& steps);
// The options have the choice from now on, and the report says what is left out.
void settle_steps(const StepChoice& steps, const LoadedModel& model, Session& session);
// The model without these steps. What is compared is compared as a whole.
void leave_steps_out(const StepChoice& steps, bool compared, Arena& arena, LoadedModel& model);
// After the search.
void note_steps(const StepChoice& steps, const LoadedModel& model, const Engine& engine,
                RunReport& report);

}  // namespace xmc
