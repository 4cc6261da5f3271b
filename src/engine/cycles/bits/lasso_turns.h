// LassoTurns: which thread searches from which state of the queue (gastin_moro.h). They are taken
// in the order of the queue, which is that of depth, while they can be on something shorter than
// the best lasso so far. A checkpoint has those that were taken and not finished: they are taken
// first when the search goes on.
//
// Everything is touched with the lock of the team held.
#pragma once

#include "engine/cycles/bits/lasso_search.h"
#include "engine/cycles/index/search_checkpoint.h"
#include "engine/search/product.h"
#include "store/files/key_file.h"
#include "xmc/status.h"
#include "xmc/types.h"

namespace xmc {

class LassoTurns {
 public:
  static constexpr u32 kMostThreads = SearchCheckpoint::kMostThreads;

  LassoTurns(const Product& product, const LassoTeam& team);

  // Uses the product's read_buffer from now on.
  void start();

  // A state of the queue that may be accepting.
  struct Turn {
    AcceptingState r;
    u64 level = 0;
    u64 place = 0;  // 0: there are no more
    u64 limit = 0;
  };
  Status take(u32 thread, Turn& turn);
  // The thread is done with what it has taken.
  void finish(u32 thread) { at_[thread] = kNowhere; }

  void save_checkpoint(SearchCheckpoint& checkpoint) const;
  void restore_checkpoint(const SearchCheckpoint& checkpoint);

 private:
  static constexpr u64 kNowhere = SearchCheckpoint::kNowhere;

  Status take_open(u32 thread, Turn& turn);
  Status read(u64 number, Turn& turn);

  const Product& product_;
  const LassoTeam& team_;
  KeyReader queue_;
  u64 queue_at_ = 0;        // what it reads next
  u64 next_ = 0;            // of the queue, to be tried
  bool ended_ = false;      // it is too deep
  u64 at_[kMostThreads];    // of the queue: what each thread has taken and not finished
  u64 open_[kMostThreads];  // the same at the checkpoint: to be taken first
};

}  // namespace xmc
