// LevelExpander: the states of the queue one after the other, each expanded behind the successors
// that wait in the search's buffer; by this thread, or in blocks by others (block_expander.h).
#pragma once

#include "engine/levels/frontier.h"

namespace xmc {

class LevelExpander {
 public:
  static u64 bytes_for(const Model& model) {
    return u64{kAhead} * model.state_words * sizeof(Word);
  }
  void plan(Frontier& frontier, Arena& arena);

  // The state with this number, which is the one behind the last, and its successors. Those behind
  // it, up to `end`, may be read with it.
  Status next(u64 number, u64 end, const Word*& state, Expansion& expansion);
  // A level with so many states to come: whether other threads expand them is chosen anew. What was
  // read ahead is expanded first.
  void choose_threads(u64 states) {
    if (!on_blocks_ && ahead_ == ahead_end_) on_blocks_ = frontier_->search.ahead.pays(states);
  }
  // At the end of a level, or of its expansion.
  void end_level() {
    frontier_->search.ahead.discard();
    on_blocks_ = false;
  }
  // The reader goes elsewhere: what was read, and expanded, is forgotten.
  void forget();

  // Successors that wait in the buffer.
  u32 fill() const { return fill_; }
  void add_fill(u32 count) { fill_ += count; }
  u32 take_fill() {
    const u32 count = fill_;
    fill_ = 0;
    return count;
  }

 private:
  static constexpr u32 kAhead = 64;  // states that are read from the queue at a time

  Status read(u64 number, u64 count);
  Status next_of_blocks(u64 number, const Word*& state, Expansion& expansion);

  Frontier* frontier_ = nullptr;
  Word* states_ = nullptr;  // that were read and wait to be expanded
  u32 ahead_ = 0;           // the next one of them
  u32 ahead_end_ = 0;
  u32 fill_ = 0;
  bool on_blocks_ = false;
};

}  // namespace xmc
