// One run of `check`, `resume` or `plan`, in its order: options, arena, model, work directory,
// plan, seal, search, replay, verdict, output. After the seal nothing allocates, the output
// included.
//
// A run begins with options and a model file, or with the work directory of an earlier one; what
// differs is in earlier_run.h and new_work.h, and ends with a loaded model and an engine. `plan`
// goes as far as the seal (cmd_plan.cc).
//
// CheckRun is where the pieces of a run stay while it lasts: files, pages and searches point to
// them. Only the steps below have all of it, each of them once; what they call gets what it uses.
#pragma once

#include "cli/run/check/answer.h"
#include "cli/run/check/earlier_run.h"
#include "cli/run/check/team.h"
#include "cli/run/output/page_file.h"
#include "engine/measure/device_cost.h"

namespace xmc {

struct CheckRun {
  // `resumed` is where the manifest of the checkpoint goes that the run goes on from; null for a
  // new run.
  explicit CheckRun(Session& session, Manifest* resumed = nullptr, PlannedRun* planned = nullptr)
      : asked{session, resumed != nullptr, planned}, place(session.options), watch(session) {
    earlier.lines = resumed;
  }

  // What was asked, and what was read.
  const Asked asked;
  WorkPlace place;
  EarlierRun earlier;
  Question question;
  // What runs.
  EngineUse use;
  Budget budget;
  Watch watch;
  Checkpoints checkpoints;
  Team team;
  DeviceCost device;         // of the folder, for engines that want it measured
  PageFile* page = nullptr;  // of --report, in the arena
  u64 free_before_engine = 0;
  // What comes out, beside the report of the session.
  Shown shown;
};

// Up to the seal (run_prepare.cc): the input (run_input.cc), and the memory (run_plan.cc).
Status prepare(CheckRun& run);
Status load_input(CheckRun& run);
// The arena has got `given_code` bytes of code that is not called.
Status plan(CheckRun& run, u64 given_code);
// The search, and its figures (run_search.cc).
Status search(CheckRun& run);
// The page of --report, if one is asked for, and its end (run_page.cc).
void plan_page(CheckRun& run);
Status finish_page(Session& session, PageFile* page, std::string_view why);
// Figures of this process and of those before it, however the search ended.
void note_totals(const Checkpoints& checkpoints, const WorkPlace& place, RunReport& report);
// The work directory is removed after a verdict, kept with what is needed to go on otherwise.
void close_work(CheckRun& run);

// All of it; gives the exit status.
int check(Session& session, Manifest* resumed);

}  // namespace xmc
