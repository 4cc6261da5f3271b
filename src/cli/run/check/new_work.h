// The work directory of a new run: its name, when it is made, and what says in it which run it is.
//
// One that the user has named is made and locked at once. One with a default name is made when the
// search writes its first file, with its first checkpoint at the latest: most searches stay in
// memory and leave nothing, and several of one model can be at work in one folder. Until then the
// text of the model stays in memory, if there is plenty of it.
#pragma once

#include "cli/run/check/engine_use.h"
#include "cli/run/check/work_place.h"
#include "cli/run/input/model_input.h"

namespace xmc {

// `keeps_files` becomes false where no directory can be made and none was asked for.
Status open_work(const Asked& asked, const ModelInput& input, u64 model_hash, const EngineUse& use,
                 Arena& arena, WorkPlace& place, bool& keeps_files);

}  // namespace xmc
