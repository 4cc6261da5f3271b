// How searches over a finished set of states ask the outside whether to go on.
#pragma once

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
    Progress progress;
    progress.states = product_->states;
    progress.transitions = product_->search->stats().transitions;
    progress.expanded = product_->search->stats().expansions;
    progress.level = depth;
    progress.ram_used = product_->memory.size();
    return (*product_->search->control)(progress);
  }

 private:
  const Product* product_;
  u32 countdown_ = Search::kPollInterval;
};

}  // namespace xmc
