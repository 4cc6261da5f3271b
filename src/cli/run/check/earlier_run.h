// How a run begins from the work directory of an earlier one. Before the arena come its limits,
// outputs and checkpoint, then everything else. Without a checkpoint the run begins again.
#pragma once

#include "cli/run/check/engine_use.h"
#include "cli/run/check/question.h"
#include "cli/run/check/work_place.h"
#include "cli/run/checkpoints.h"
#include "cli/run/watch.h"
#include "cli/run/work/shared_work.h"
#include "store/checkpoint/root.h"

namespace xmc {

struct EarlierRun {
  Manifest* lines = nullptr;  // of its checkpoint; null: the search begins with the initial states
  Root root;
  u64 kept_marker = 0;  // the marker that the limits and outputs there belong to
  SharedWork shared;    // that the run goes on from
  bool took_description = false;
  // Why the run ends before its search, when that is not a failure.
  std::string_view ended;

  // By several owners: their states have to stay apart.
  bool was_divided() const;
};

Status find_run(const Asked& asked, WorkPlace& place, EarlierRun& earlier);
// With its options and its engine.
Status restore_run(const Asked& asked, WorkPlace& place, EarlierRun& earlier, Arena& arena,
                   Watch& watch, Checkpoints& checkpoints, EngineUse& use);
const Language* language_of_run(const Options& options, const RunMarker& marker);
// The text that it was begun with.
Status read_saved_model(Session& session, WorkPlace& place, Arena& arena, ModelInput& input);
// The stored states are those of a program; another version may lower the same text differently.
Status check_same_program(const WorkPlace& place, const Manifest& lines, u64 program_hash);

// Of a run that processes share, and the same for it (shared_run.cc). The place of this process
// replaces `path`.
Status find_place_of_process(const Asked& asked, SharedPlace& place, const char*& path);
Status find_shared_run(const Asked& asked, WorkPlace& place, EarlierRun& earlier);
// What this process reads of a checkpoint that is divided anew, as the engine sees it.
Status plan_parts(const Session& session, const WorkPlace& place, const EarlierRun& earlier,
                  Arena& arena, Checkpoints& checkpoints, std::span<const OwnerPart>& out);
// Every process takes away what it sees and nobody works in; the last one finds the place empty.
void remove_shared_place(const SharedPlace& place);

// For both: limits and outputs that were given to the processes before this one.
Status restore_kept(Options& options, WorkPlace& place, EarlierRun& earlier);
Status check_kept_outputs(Session& session);
Status take_checkpoint(const Asked& asked, const WorkPlace& place, EarlierRun& earlier);

}  // namespace xmc
