// The first states of a search, to find out what a model is like before it begins: breadth first,
// level by level, each expanded once.
//
// Memory is the same for every --ram, so that what is decided by them is. A state is known by 16
// bits of its hash: a few may be left out for that.
#pragma once

#include <span>

#include "xmc/arena.h"
#include "xmc/model.h"

namespace xmc {

// Of whole levels.
struct FirstLook {
  u32 levels = 0;      // that were expanded
  u32 states = 0;      // that are known behind them
  u32 expanded = 0;    // states
  u64 successors = 0;  // of those, known ones included
  bool whole = false;  // there are no others
};

class FirstStates {
 public:
  static constexpr u32 kMost = 2500;

  // In scratch.
  FirstStates(const Model& model, Arena& arena);
  static u64 bytes(const Model& model);

  // False: there is none, or with it more than kMost states would be known, or more wait than there
  // is room for. Then seen() stays what it was, and there is no further level.
  bool expand_level();
  const FirstLook& seen() const { return seen_; }

 private:
  bool is_new(const Word* state);
  bool add(u32 count);
  bool expand(u32 states, FirstLook& out);

  const Model& model_;
  u32 capacity_ = 0;  // states that can wait
  u32 first_ = 0;
  u32 waiting_ = 0;
  u32 known_ = 0;
  FirstLook seen_;
  std::span<Word> states_;  // a ring
  std::span<u16> marks_;    // open addresses; 0: free
  SuccessorBuffer buffer_;
};

}  // namespace xmc
