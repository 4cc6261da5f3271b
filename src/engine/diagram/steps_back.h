// StepsBack: whether a search has seen a step that could close a cycle.
//
// A step of a breadth-first search leads to the next level, or back: to its own level or one before
// it. Every cycle has a step back. So a product in which no step leads back to a state that could
// be on an accepting cycle has no such cycle, and nobody need look for one. Protocols that come to
// an end are like that (leader_election.4: 746,051 states and no step back).
//
// A batch's keys that the diagram has are of a level before, or were new in an earlier batch of
// this one. The new keys of the level are kept to tell, as the sorted runs in which they came.
// Where there is no room for them, or they cannot be told apart, a step back is taken for granted:
// that is safe.
#pragma once

#include "engine/levels/frontier.h"
#include "store/diagram/key_order.h"
#include "xmc/status.h"
#include "xmc/types.h"

namespace xmc {

class StepsBack {
 public:
  // The level may have begun.
  void begin(Frontier& frontier, KeyOrder& order) {
    frontier_ = &frontier;
    order_ = &order;
    known_ = false;
    new_ = back_ = 0;
  }
  bool on() const { return frontier_ != nullptr && !frontier_->steps_back; }
  // Keys are others now, or their memory is gone.
  void forget() { known_ = false; }
  void end_level();
  // It cannot be told any more.
  void give_up() {
    if (frontier_ != nullptr) frontier_->steps_back = true;
  }
  // Sorted keys of successors, which are not in the queue yet; bit i of `fresh`: key i is new.
  Status take(const Word* keys, u32 count, const u64* fresh);

 private:
  static constexpr u32 kRuns = 32;

  struct Run {
    u64 begin;
    u64 end;
    u64 at;  // the first key that is not before the one that is looked for
  };

  // Memory that is set aside for looks, which come between levels.
  Word* keys() const { return reinterpret_cast<Word*>(frontier_->memory.aside.data()); }
  Status read_level();
  bool append(const Word* key);
  bool is_new_in_level(const Word* key);
  bool leads_nowhere(const Word* key);

  Frontier* frontier_ = nullptr;
  KeyOrder* order_ = nullptr;
  bool known_ = false;  // the runs are the states of the next level in the queue
  Run run_[kRuns];
  u32 runs_ = 0;
  u64 size_ = 0;  // keys in all of them
  u64 room_ = 0;
  u64 new_ = 0;   // keys, of all levels
  u64 back_ = 0;  // steps back to states that cannot accept
};

}  // namespace xmc
