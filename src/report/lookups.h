// How many states it took a read to tell, of a search that has to know at once whether a state is
// new.
#pragma once

#include "report/row.h"
#include "xmc/engine.h"

namespace xmc {

// A row of the summary; nothing for other searches.
void write_lookups(Row& out, const SearchStats& stats);

}  // namespace xmc
