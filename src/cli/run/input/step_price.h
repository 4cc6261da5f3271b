// What leaving steps out would cost a run, and what it would save, by the counted work of its first
// states: the same at every run and on every machine.
#pragma once

#include "cli/run/input/first_states.h"
#include "exec/models/stubborn.h"
#include "xmc/types.h"

namespace xmc {

// The first states of a model with all steps, and those of as many levels without the steps that
// are left out.
struct StepSample {
  FirstLook all;
  FirstLook some;
  StubbornCounts counts;  // of `some`
  u32 state_words = 0;
  // Of `some`, too, all successors are made, and those that are not taken go.
  bool makes_all = false;
};

// Work for all states of a search, as far as the sample tells, with all steps and without some.
struct StepPrices {
  u64 all = 0;
  u64 some = 0;
};
StepPrices step_prices(const StepSample& sample);

// Whether the sample of `some` is dear enough already: what is left of it would not change it.
bool is_too_dear(const StepSample& sample);

struct StepJudgement {
  bool pays = false;  // fewer states save memory besides, but a sample can be wrong: clearly
  u32 most_work = kImpatientWork;  // of StubbornRules, who leaves steps out all the same
};
StepJudgement judge_steps(const StepSample& sample);

}  // namespace xmc
