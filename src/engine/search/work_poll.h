// WorkPoll: how work behind a breadth-first search asks whether to go on. The figures that a
// progress line shows are those of that search, and how far this work is.
#pragma once

#include <utility>

#include "engine/search/product.h"
#include "xmc/run_control.h"
#include "xmc/status.h"

namespace xmc {

class WorkPoll {
 public:
  WorkPoll() = default;
  explicit WorkPoll(const Product& product)
      : search_(product.search),
        owners_(product.owners),
        states_(product.states),
        ram_used_(product.memory.size()) {}

  // Now; `level` may be the depth of a stack, or a distance. Not to go on is a stop, with its
  // reason (Status::stop()).
  Status operator()(u64 level, u64 level_states = 0) {
    countdown_ = Search::kPollInterval;
    asked_ = true;
    if (owners_ != nullptr) return owners_->poll_work();
    if (search_ == nullptr || search_->control == nullptr) return {};
    Progress progress;
    progress.states = states_;
    progress.transitions = search_->outcome->stats.transitions;
    progress.expanded = search_->outcome->stats.expansions;
    progress.level = level;
    progress.level_states = level_states;
    progress.ram_used = ram_used_;
    progress.work = search_->work;
    return Status::stop((*search_->control)(progress));
  }
  // For those who say what they do, and how much of it is done.
  LongWork* work() { return search_ == nullptr ? nullptr : &search_->work; }
  void set(u64 done, u64 total) {
    if (search_ != nullptr) search_->work.set(done, total);
  }
  // For work that asks after every state: one call of Search::kPollInterval does.
  bool is_time() { return --countdown_ == 0; }
  // The last state has taken long: it is time behind it.
  void ask_soon() { countdown_ = 1; }
  Status now_and_then(u64 level) { return is_time() ? (*this)(level) : Status(); }
  // Whether the outside was asked since the last call of this: the time to ask for a checkpoint.
  bool take_asked() { return std::exchange(asked_, false); }

 private:
  Search* search_ = nullptr;
  ProductOwners* owners_ = nullptr;
  u64 states_ = 0;
  u64 ram_used_ = 0;
  bool asked_ = false;
  u32 countdown_ = Search::kPollInterval;
};

}  // namespace xmc
