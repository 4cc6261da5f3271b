#include "engine/cycles/bits/lasso_turns.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "xmc/check.h"

namespace xmc {

LassoTurns::LassoTurns(const Product& product, const LassoTeam& team)
    : product_(product), team_(team) {
  std::fill(std::begin(at_), std::end(at_), kNowhere);
  std::fill(std::begin(open_), std::end(open_), kNowhere);
}

void LassoTurns::start() {
  queue_.start(*product_.queue, product_.read_buffer);
  queue_at_ = 0;
}

Status LassoTurns::take(u32 thread, Turn& turn) {
  turn.place = 0;
  XMC_TRY(take_open(thread, turn));
  if (turn.place != 0 || ended_ || next_ == product_.expanded) return {};
  XMC_TRY(read(next_, turn));
  // Those behind it are as deep, and have no larger limit.
  ended_ = turn.level + 1 >= turn.limit;
  if (ended_) return {};
  at_[thread] = next_++;
  turn.place = next_;
  return {};
}

// What was not finished at the checkpoint comes first.
Status LassoTurns::take_open(u32 thread, Turn& turn) {
  for (u64& open : open_) {
    if (open == kNowhere) continue;
    const u64 number = std::exchange(open, kNowhere);
    if (number >= product_.expanded) continue;
    XMC_TRY(read(number, turn));
    if (turn.level + 1 >= turn.limit) continue;
    at_[thread] = number;
    turn.place = number + 1;
    return {};
  }
  return {};
}

Status LassoTurns::read(u64 number, Turn& turn) {
  if (queue_at_ != number) XMC_TRY(queue_.seek_key(number));
  XMC_LET(const bool more, queue_.next(turn.r.key));
  XMC_CHECK(more);
  queue_at_ = number + 1;
  turn.level = queue_.level();
  turn.limit = team_.limit(number + 1);
  return {};
}

void LassoTurns::save_checkpoint(SearchCheckpoint& checkpoint) const {
  checkpoint.next = next_;
  // Those of the checkpoint before are all taken before others: there are never more than threads.
  std::copy(std::begin(open_), std::end(open_), checkpoint.lasso.open);
  for (const u64 at : at_) {
    if (at == kNowhere) continue;
    u64* const free =
        std::find(std::begin(checkpoint.lasso.open), std::end(checkpoint.lasso.open), kNowhere);
    XMC_CHECK(free != std::end(checkpoint.lasso.open));
    *free = at;
  }
}

void LassoTurns::restore_checkpoint(const SearchCheckpoint& checkpoint) {
  next_ = checkpoint.next;
  std::copy(std::begin(checkpoint.lasso.open), std::end(checkpoint.lasso.open), open_);
}

}  // namespace xmc
