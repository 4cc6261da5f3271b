// KeptCycle: the accepting cycle that a search has found, as states in memory that nobody else uses
// any more: at the end of what was set aside, behind the path to it, which comes to the begin of
// the memory. What is kept is recorded in the outcome as a violation.
#pragma once

#include "engine/cycles/edges/shortest_lasso.h"
#include "engine/search/product.h"
#include "xmc/go_on.h"
#include "xmc/status.h"
#include "xmc/types.h"

namespace xmc {

class KeptCycle {
 public:
  void forget() { cycle_ = {}; }
  bool exists() const { return cycle_.states != nullptr; }
  const FoundCycle& value() const { return cycle_; }
  // State i of its steps; they come again and again.
  void state(u64 i, Word* out) const;

  // The numbers may lie anywhere in the memory. What stops this makes it as if the lasso had not
  // been found yet.
  Status keep(const Product& product, const LassoResult& lasso);
  // Which of these states has the least level is still to be found out: see settle().
  Status keep_unsettled(const Product& product, const Word* states, u64 length);
  // The cycle of a shortest lasso, whose prefix leads to the first state.
  Status keep_shortest(const Product& product, const Word* states, u64 length, u64 prefix);
  // There is a cycle, and the checkpoint has the wave that it closed; its states are not known yet.
  static void record_unread(const Product& product);

  // So that it begins with the state that comes first in the queue: one of least level.
  Status settle(const Product& product, const GoOn& go_on, u64& level);
  // Memory for the states of this cycle, which a checkpoint has.
  Result<Word*> restore(const Product& product, const FoundCycle& cycle);

 private:
  Status place(const Product& product, u64 length);
  Status move_here(const Product& product, const Word* states, u64 length);

  FoundCycle cycle_;
  u32 words_ = 0;  // of a state
};

}  // namespace xmc
