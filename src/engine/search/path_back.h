// PathBack: from the end of a path to its beginning. The queue of a breadth-first search has its
// states by level, so a predecessor is found by expanding the level before; thin levels lie
// together in what was read for the last one (resistance.1: 32,777 steps by reading the queue
// once). That may take as long as the search did, so whether to go on is asked now and then.
#pragma once

#include "engine/search/agreement.h"
#include "engine/search/search.h"
#include "store/files/key_file.h"
#include "xmc/go_on.h"
#include "xmc/status.h"
#include "xmc/types.h"

namespace xmc {

class PathBack {
 public:
  // Nobody else uses the reader and its buffer between two steps. Steps overwrite the successor
  // buffer.
  PathBack(Search& search, KeyReader& reader, const GoOn& go_on)
      : search_(search), reader_(reader), go_on_(go_on) {}

  // The first key of `level` whose state has a step to `target`, into `key`. A key begins with its
  // state. Levels fall from step to step. Code::stopped: it was not looked for to the end.
  Status step(u64 level, const Word* target, Word* key);
  // The smallest of all such states of the level, if the file has any of them.
  Status smallest(u64 level, const Word* target, Candidate& best);

 private:
  Search& search_;
  KeyReader& reader_;
  GoOn go_on_;
  bool begun_ = false;
  u32 countdown_ = Search::kPollInterval;
};

}  // namespace xmc
