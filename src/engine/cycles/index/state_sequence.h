// The states of a product, one after the other: from its queue, or as numbers (edge_product.h).
#pragma once

#include "engine/search/product.h"
#include "engine/search/work_poll.h"
#include "xmc/check.h"
#include "xmc/limits.h"
#include "xmc/status.h"
#include "xmc/types.h"

namespace xmc {

class StateSequence {
 public:
  // Uses the product's read_buffer.
  Status start(const Product& product, u64 first = 0) {
    queue_ = product.queue;
    next_ = first;
    if (queue_ == nullptr) return {};
    reader_.start(*queue_, product.read_buffer);
    return first == 0 ? Status() : reader_.seek_key(first);
  }
  // There is one more.
  Status next(Word* state) {
    if (queue_ == nullptr) {
      *state = next_++;
      return {};
    }
    const Result<bool> more = reader_.next(state);
    if (more.ok()) XMC_CHECK(more.value());
    return more.status();
  }
  u64 level() const { return queue_ == nullptr ? 0 : reader_.level(); }
  // What was read ahead: the buffer is free then.
  Status finish() { return queue_ == nullptr ? Status() : queue_->finish_read_slot(); }

 private:
  KeyReader reader_;
  KeyFile* queue_ = nullptr;
  u64 next_ = 0;
};

// use(state, level) for all states, until it fails or the outside says stop.
template <class Use>
Status for_all_states(const Product& product, Use use) {
  WorkPoll poll(product);
  StateSequence states;
  const LongWork::Scope scope(poll.work(), "numbering");
  XMC_TRY(states.start(product));
  Word state[limits::kKeyWords];
  for (u64 i = 0; i < product.states; ++i) {
    XMC_TRY(states.next(state));
    XMC_TRY(use(state, states.level()));
    if (!poll.is_time()) continue;
    poll.set(i, product.states);
    XMC_TRY(poll(0));
  }
  return {};
}

}  // namespace xmc
