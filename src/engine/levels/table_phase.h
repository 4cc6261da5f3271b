// TablePhase: how `diagram` and `explicit` begin, with all states in a table like `ram`, until that
// is nearly full. Then the states go to the queue file, and the loop of levels goes on from there,
// with a set that takes them from the queue. One owner of several takes part in that loop from the
// beginning, with the table as its queue (table_queue.h).
#pragma once

#include "engine/levels/frontier.h"
#include "engine/ram/ram_search.h"

namespace xmc {

class TablePhase {
 public:
  static u64 bytes_for(const Model& model) {
    return model.buchi ? u64{Search::buffer_states_for(model)} * sizeof(StateIndex) : 0;
  }
  void plan(Frontier& frontier, Arena& arena);
  // After plan(): leave the table at this many states even if there is room.
  void hand_over_after(u64 states) { ram_.hand_over.after_states = states; }

  // Nothing has ended in the table.
  void forget() { ended_ = false; }
  // Searches in the table, which has all of the region. Unless that has ended() it all, the states
  // are in the queue then.
  Status run();
  // One owner of several: with the initial states in the table.
  Status start_owned();
  // Nothing is left to do, and the outcome has it all.
  bool ended() const { return ended_; }
  // Whether the search is to go on in files. Without that it ended for another reason, or looks for
  // cycles next.
  bool handed_over() const { return ram_.hand_over.happened; }
  // Whether it was stopped with nothing but its path to find.
  bool only_path_left() const { return ram_.hand_over.through; }
  // Of the counterexample, if it ended.
  void path_state(u64 i, Word* out) { ram_.table.load(ram_.table.stack(ram_.path_begin + i), out); }

 private:
  // That the states before `expanded` have no accepting cycle among them; of all states.
  Status prove(StateIndex expanded, bool& proved);
  Status prove_all(bool& proved);
  Status save();
  Status level_done();

  Frontier* frontier_ = nullptr;
  RamSearch ram_;
  bool ended_ = false;
};

}  // namespace xmc
