// TablePhase: how `diagram` and `explicit` begin, with all states in a table like `ram`, until the
// table is nearly full. Then the states go to the queue file, and the search goes on from there.
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
  // Room for those of the successors in the buffer; null but for products.
  StateIndex* indexes() const { return ram_.indexes; }
  u64 most_states() const { return ram_.hand_over.after_states; }

  // Searches in the table, which has all of the region. `ended`: nothing is left to do, and the
  // outcome has it all; otherwise the states are in the queue.
  Status run(bool& ended);
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
};

}  // namespace xmc
