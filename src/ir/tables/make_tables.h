// From facts about steps to tables: rows of steps that turn conditions, that do not accord, that
// are visible.
#pragma once

#include "ir/tables/step_facts.h"
#include "ir/tables/step_tables.h"
#include "xmc/status.h"

namespace xmc::ir {

// The tables stay in the arena, of whose free memory they take one part in `share` at most; a
// failure says what does not fit, and then nothing was carved.
Status make_step_tables(StepFacts& facts, Arena& arena, StepTables& out, u32 share = 2);

}  // namespace xmc::ir
