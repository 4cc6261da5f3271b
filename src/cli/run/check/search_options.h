// What a search is told: the options of the command line, and then what the run has for it.
#pragma once

#include "cli/options/options.h"
#include "cli/run/work/space_limits.h"
#include "report/run_report.h"
#include "xmc/engine.h"

namespace xmc {

// Of the command line alone.
SearchOptions search_options(const Options& options, DeadlockRule deadlock);
// What the run may take, as the report has it.
void note_limits(const Options& options, const SpaceLimits& space, RunReport& report);

}  // namespace xmc
