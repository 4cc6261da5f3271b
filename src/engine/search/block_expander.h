// BlockExpander: the states of a level are expanded on several threads, and what comes out is seen
// in their order, as if one thread had done it.
//
//   fill()   the owner reads states into blocks of a ring; each block is a job
//   (jobs)   any thread expands a block into the block's own memory
//   next()   the owner takes states, expansions and successors out, oldest block first
//
// While the owner judges and inserts, the others expand the blocks behind. Nothing is shared while
// a block is under way, so the order of results, and with it everything that a search does, does
// not depend on the threads. What was expanded ahead of a search that ends is dropped uncounted.
//
// Memory: two blocks per thread and two more, of 64 to 512 states with room for 8 successors each.
// A block whose successors do not fit is finished by the owner, piece by piece.
#pragma once

#include <algorithm>

#include "xmc/engine.h"
#include "xmc/model.h"
#include "xmc/parallel.h"

namespace xmc {

class BlockExpander {
 public:
  // The least that plan() takes; 0 for one thread.
  static u64 least_bytes(const Model& model, const SearchOptions& options);
  // Without other threads: nothing, and pays() is always false.
  void plan(const Model& model, const SearchOptions& options, Arena& arena);

  // Whether a level of this many states is worth handing out. Waking a thread takes as long as some
  // dozen expansions.
  bool pays(u64 level_states) const { return parallel_ != nullptr && level_states >= kWorthwhile; }
  // States that were read and not taken out yet.
  u64 waiting() const { return waiting_; }
  bool has_room() const { return used_ < block_count_; }

  // Fills free blocks with at most `left` states; read(Word*) gives the next one, or a failure.
  template <class Read>
  Status fill(u64 left, Read read) {
    while (left > 0 && has_room()) {
      Block& block = blocks_[(first_ + used_) % block_count_];
      const u32 count = size_of_next(left);
      for (u32 i = 0; i < count; ++i) XMC_TRY(read(block.states + u64{i} * model_.state_words));
      submit(block, count);
      left -= count;
    }
    return {};
  }
  // The oldest state that waits, and its expansion; the successors go to `successors`, which has
  // room for Model::max_successors.
  Expansion next(Word* state, Word* successors);
  // Forgets everything that waits, and returns when no thread works on it any more.
  void discard();

 private:
  static constexpr u32 kLeastStates = 64;
  static constexpr u32 kMostStates = 512;
  static constexpr u32 kSuccessors = 8;  // room per state
  static constexpr u64 kWorthwhile = 4 * kLeastStates;

  struct Block : Parallel::Job {
    BlockExpander* owner;
    Word* states;
    Word* successors;
    Expansion* expansions;
    u32 count;     // states
    u32 expanded;  // states up to here are expanded
  };

  static u32 block_count_for(const SearchOptions& options);
  static u64 block_bytes(const Model& model, u32 states);
  static u64 ring_bytes(const Model& model, u64 blocks, u32 states);
  u32 size_of_next(u64 left) const;
  void submit(Block& block, u32 count);
  // From block.expanded on, as far as the successors fit.
  void expand(Block& block, u32 thread);

  Model model_;
  Parallel* parallel_ = nullptr;
  void* executors_[limits::kThreads] = {};
  Block* blocks_ = nullptr;
  u32 block_count_ = 0;
  u32 block_states_ = 0;
  u32 first_ = 0;  // block that is taken from
  u32 used_ = 0;
  u64 waiting_ = 0;
  bool open_ = false;     // the first block is done, and was taken from
  u32 taken_ = 0;         // of its states
  u64 successor_at_ = 0;  // words
  u64 seen_states_ = 0;   // for the size of blocks
  u64 seen_successors_ = 0;
};

}  // namespace xmc
