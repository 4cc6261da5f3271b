// What a run checks: the model, what is looked for in it, and which of its steps are left out.
#pragma once

#include "cli/run/check/step_choice.h"
#include "cli/run/input/model_input.h"

namespace xmc {

struct Question {
  LoadedModel model;
  Goal goal;
  StepChoice steps;

  // States of another program, or of other steps, mean something else.
  u64 program_hash() const { return model.program->hash ^ steps.hash; }
};

}  // namespace xmc
