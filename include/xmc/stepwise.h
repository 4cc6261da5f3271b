// Stepwise: expand() in two halves, for who looks at the enabled steps of a state before some of
// them are taken. Executions of programs with processes have it; `self` is that of their Model.
#pragma once

#include "xmc/model.h"

namespace xmc {

struct Stepwise {
  // The system's steps that are enabled, erroneous ones included, in the order of expand(): returns
  // how many. They are there until the next call with this `self`.
  u32 (*find)(void* self, const Word* state, const u32*& steps) = nullptr;
  // What expand() says of the state that find() was called for, with the successors and errors of
  // those of its steps only whose bits are set, by their places in the list. The flag kDeadlock is
  // not set.
  Expansion (*take)(void* self, const Word* state, const u64* places,
                    const SuccessorBuffer& out) = nullptr;

  bool given() const { return find != nullptr; }
};

}  // namespace xmc
