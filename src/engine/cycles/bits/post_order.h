// PostOrder: the first search of a double search (double_dfs.h). It is depth-first, and writes
// accepting states down when it leaves them.
//
// The successors of one state are looked up as one batch, and those that are not visited are
// pushed; whether they still are not is asked again when they are popped, which makes it a
// depth-first search for sure. It begins with all states of the queue that it has not come to:
// searches do not leave a component of the automaton.
//
// Its stack is a file with a window in memory. An entry is a number if the index gives states and
// memory is scarce, else number and state.
#pragma once

#include <span>

#include "engine/cycles/bits/accepting_states.h"
#include "engine/cycles/bits/indexed_search.h"
#include "engine/cycles/index/state_sequence.h"
#include "store/files/flash_stack.h"
#include "xmc/limits.h"

namespace xmc {

class PostOrder {
 public:
  struct Memory {
    std::span<u8> window;         // of the stack
    std::span<u8> questions;      // free while the stack is empty, window and batches included
    IndexedSearch::Batch roots;   // states to begin with
    IndexedSearch::Batch expand;  // successors of one state
  };

  PostOrder(IndexedSearch& search, const Product& product, Numbering& index, StateBits& visited,
            AcceptingStates& accepting)
      : search_(search),
        product_(product),
        index_(index),
        visited_(visited),
        accepting_(accepting) {}

  void lay_out(const Memory& memory);
  Status open();
  // Whether it can go on from the checkpoint; then restore_checkpoint().
  bool fits_checkpoint();
  Status restore_checkpoint();
  // To the end, or to a stop, which the checkpoint then says. The stack's file is closed.
  Status run();
  // The index is made: that counts as the end of a level.
  Status checkpoint_at_begin();

  const FlashStack& stack() const { return stack_; }

 private:
  Status search_from_roots();
  Status read_root(u64& done);
  bool is_new(u32 root) const;
  Status pass_visited(u64& done);
  Status ask_for_roots(u64 room, u64& done);
  void take_answer(u32 tag, u64 number, u32 depth);
  Status push(u64 number, const Word* state);
  Status search_down();
  Status enter(u64 number, const Word* state);
  Status save_checkpoint();
  Status copy_stack();
  Status checkpoint();

  IndexedSearch& search_;
  const Product& product_;
  Numbering& index_;
  StateBits& visited_;
  AcceptingStates& accepting_;
  Memory memory_;
  StateSequence roots_;    // the queue
  u64 done_ = 0;           // of the queue, before the states that it begins with now
  u32 first_new_ = kNone;  // of the states that were asked for, the first one to begin with
  u32 entry_words_ = 1;
  Word entry_[1 + limits::kStateWords] = {};
  FlashStack stack_;
  FileName stack_name_;
  Device* stack_device_ = nullptr;
};

}  // namespace xmc
