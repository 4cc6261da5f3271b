// How searches over a finished set of states ask the outside whether to go on.
#pragma once

#include <utility>

#include "engine/product.h"
#include "engine/search.h"
#include "xmc/run_control.h"

namespace xmc {

class ProductPoll {
 public:
  explicit ProductPoll(const Product& product) : product_(&product) {}

  // Every Search::kPollInterval calls; `depth` is that of a stack, or a distance.
  StopReason operator()(u64 depth) {
    if (--countdown_ != 0) return StopReason::none;
    return now(depth);
  }
  StopReason now(u64 depth) {
    countdown_ = Search::kPollInterval;
    asked_ = true;
    Progress progress;
    progress.states = product_->states;
    progress.transitions = product_->search->stats().transitions;
    progress.expanded = product_->search->stats().expansions;
    progress.level = depth;
    progress.ram_used = product_->memory.size();
    return (*product_->search->control)(progress);
  }

  // Whether the outside was asked since the last call of this: the time to ask for a checkpoint.
  bool take_asked() { return std::exchange(asked_, false); }

 private:
  const Product* product_;
  bool asked_ = false;
  u32 countdown_ = Search::kPollInterval;
};

}  // namespace xmc
