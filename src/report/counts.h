// How much was searched, in words and in JSON: states, transitions, levels, deadlocks. Sets of
// states have numbers that no machine word holds (LargeFigures); these are said here, too.
#pragma once

#include "report/json.h"
#include "report/row.h"
#include "xmc/engine.h"

namespace xmc {

// "1,234 states", "1 state".
void write_count(Row& out, u64 value, const char* one, const char* many);
void write_counts(Row& out, const SearchOutcome& outcome);
bool has_states(const SearchOutcome& outcome);
// Members for the numbers that are null among the figures because they are too large.
void write_large(JsonWriter& json, const LargeFigures& large);

}  // namespace xmc
