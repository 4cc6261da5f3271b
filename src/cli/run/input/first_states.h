// The first states of a search, to find out what a model is like before it begins: breadth first,
// each expanded once.
//
// Memory is the same for every --ram, so that what is decided by them is. A state is known by 16
// bits of its hash: a few may be left out for that. Where more states wait than there is room for,
// those that come then are left out, too.
#pragma once

#include <span>

#include "xmc/arena.h"
#include "xmc/model.h"

namespace xmc {

class FirstStates {
 public:
  // In scratch.
  FirstStates(const Model& model, Arena& arena);
  static u64 bytes(const Model& model);

  // Until `most` states are known and expanded, or all there are; returns how many.
  u32 expand(u32 most);

 private:
  bool is_new(const Word* state);
  void add(u32 count, u32 most);

  const Model& model_;
  u32 capacity_ = 0;  // states that can wait
  u32 first_ = 0;
  u32 waiting_ = 0;
  u32 known_ = 0;
  std::span<Word> states_;  // a ring
  std::span<u16> marks_;    // open addresses; 0: free
  SuccessorBuffer buffer_;
};

}  // namespace xmc
