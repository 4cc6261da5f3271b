// The core of a graph: what is left of it when nothing is kept that cannot reach an accepting
// cycle, by descending passes over an edge file and one bit per state. The trimming of OWCTY
// (Cerna and Pelanek 2003; Barnat et al. 2007) the other way round: a state without a successor in
// the set is dropped, which needs forward edges only and works in place. Breadth-first numbers make
// one descending pass settle all forward edges; each alternation with back edges costs one more.
//
//   repeat: for u descending, drop u if no successor before `end` is left; until nothing changes
//   if every cycle of the live classes is accepting (weak): done
//   R = states that are accepting or have a successor in R, by descending passes; S = R; again,
//   until R is all of S
//
// What is left does not depend on the order of the two. After a pass that drops little the other
// way is tried (lifts.6.prop2: of 660,754 states that have successors, 327,667 lead to no accepting
// one, and 2,401 are left when these are gone).
//
// No state that can reach an accepting cycle is ever dropped. At the end each state that is left
// has a successor that is left, and that a path to an accepting one; so there is an accepting cycle
// if anything is left. There may also be states that only lead to one.
//
// Memory: one bit per state, two unless weak. 31 passes were the most that a BEEM product needed.
#pragma once

#include "engine/cycles/edges/edge_pass.h"

namespace xmc {

class CycleCore {
 public:
  static u64 bytes_for(u64 states, bool weak) {
    return StateBits::bytes_for(states) * (weak ? 1 : 2);
  }

  // The core of the states before `end` of the reader's file. `memory` is aligned to 8 bytes.
  // Unless it is stopped, states() has the core then, at the beginning of `memory`.
  Status find(EdgeReader& reader, u64 end, bool weak, std::span<u8> memory, WorkPoll& poll);
  // Goes on after the limit of passes.
  Status resume(EdgeReader& reader, WorkPoll& poll);

  // After this many passes of one find() it comes back, unfinished; 0: never.
  void set_pass_limit(u64 passes) { pass_limit_ = passes; }
  bool finished() const { return finished_; }

  bool empty() const { return !any_; }
  StateBits& states() { return live_; }
  const PassFigures& figures() const { return figures_; }

 private:
  Status trim(EdgeReader& reader, WorkPoll& poll, bool patient, bool& changed);
  Status trim_pass(EdgeReader& reader, WorkPoll& poll);
  Status keep_leading(EdgeReader& reader, WorkPoll& poll, bool& changed);
  bool out_of_passes() const { return pass_limit_ != 0 && figures_.passes >= last_pass_; }

  StateBits live_;
  StateBits open_;  // those of which it is not known that they lead to an accepting one
  u64 end_ = 0;
  bool weak_ = false;
  bool any_ = false;
  bool finished_ = false;
  bool trimmed_ = false;  // every state that is left has a successor that is
  u64 pass_limit_ = 0;
  u64 last_pass_ = 0;
  std::span<u8> second_;
  PassFigures figures_;
};

}  // namespace xmc
