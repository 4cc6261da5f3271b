// TableQueue: the states of one owner of several, as long as they fit a table. The table is the
// queue as well. An owner leaves it when it is full, whatever the others do: positions stay the
// same, in the table and in the queue file.
#pragma once

#include "store/tables/state_table.h"
#include "xmc/model.h"
#include "xmc/status.h"
#include "xmc/types.h"

namespace xmc {

class Frontier;

class TableQueue {
 public:
  bool on() const { return table_ != nullptr; }
  // Nothing is in it, and the queue is the file.
  void forget() { table_ = nullptr; }
  // Begins with the initial states in an empty table of the region. `indexes`: room for those of
  // the successors in the buffer; null but for products.
  Status start(Frontier& frontier, StateTable& table, StateIndex* indexes, u64 most_states);

  u64 states() const { return table_->size(); }
  void load(u64 number, Word* to) const { table_->load(static_cast<StateIndex>(number), to); }
  // States in the search's buffer, of which `done` are settled then. False: the table is to be
  // left.
  bool take(u32 count, u32& done);
  // The next level begins behind this one. False: as above.
  bool end_level();
  // All states are in the file afterwards.
  Status fill_queue();
  // The same, and the table is not the queue any more.
  Status leave();

 private:
  void note_steps_back(const Word* states, u32 count);

  Frontier* frontier_ = nullptr;
  StateTable* table_ = nullptr;
  StateIndex* indexes_ = nullptr;
  u64 most_states_ = 0;
};

}  // namespace xmc
