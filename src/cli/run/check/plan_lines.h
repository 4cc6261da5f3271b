// What a run says before its search: the model, what is checked, the engine, the memory.
#pragma once

#include "cli/run/budget.h"
#include "cli/run/check/engine_use.h"
#include "cli/run/check/question.h"
#include "cli/run/check/work_place.h"
#include "report/summary.h"

namespace xmc {

PlanReport plan_report(const EngineUse& use, Budget& budget);
// With `all` every part of the memory, and the work directory.
void print_plan(const Asked& asked, const Question& question, const EngineUse& use, Budget& budget,
                WorkPlace& place, bool all, Output& out);
// What the file system of the files is bad at.
void note_drawback(const char* folder, const char* work, Output& err);

}  // namespace xmc
