// What comes out of a run: what its search found, the counterexample, which is replayed before it
// is told, and the verdict.
#pragma once

#include "cli/run/check/engine_use.h"
#include "cli/run/check/question.h"
#include "cli/run/check/work_place.h"
#include "trace/chart.h"
#include "trace/fair_cycle.h"
#include "trace/replay.h"
#include "trace/trace_view.h"

namespace xmc {

// How a counterexample is walked again.
struct Shown {
  Replay replay;
  FairCycle fair_cycle;
  ChartMemory chart;  // if one is asked for
  EnginePath path;
  FixedText<kFailureBytes> failure;  // why the last step or the predicate is erroneous
};

TraceView view_of(Shown& shown, const Question& question, const SearchOutcome& outcome);
// The verdict goes into the report.
Status judge(const Options& options, const Question& question, Shown& shown, RunReport& report);
Status write_traces(Session& session, const Question& question, const EngineTraits& engine,
                    WorkPlace& place, Shown& shown);

}  // namespace xmc
