// Delayed duplicate detection: which keys of a sorted batch does a run have already?
#pragma once

#include "store/runs/run_reader.h"
#include "xmc/status.h"
#include "xmc/types.h"

namespace xmc {

// Clears bit i of `fresh` for each of the ascending keys i that the run has, and adds their number
// to `hits`. Only keys whose bit is set are looked for, and the reader is moved no further than
// they need: the next batch may go on with it if its keys are greater. Costs one pass over the part
// of the run where the keys are dense, one block for each where they are sparse.
Status drop_known(RunReader& reader, const Word* keys, u32 count, u64* fresh, u64* hits);

}  // namespace xmc
