// One step back on a path: the queue of a breadth-first search has its states by level, so a
// predecessor is found by expanding the level before.
#pragma once

#include "engine/search.h"
#include "store/key_file.h"
#include "xmc/status.h"
#include "xmc/types.h"

namespace xmc {

// The first key of `level` whose state has a step to `target`, into `key`. A key begins with its
// state. Overwrites the successor buffer.
Status find_before(Search& search, KeyReader& reader, u64 level, const Word* target, Word* key);

}  // namespace xmc
