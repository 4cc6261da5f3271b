// RecentStates: a table of recent states in front of a file that has all of them, and how
// candidates are told from old states: by scanning the file and looking every state of it up in the
// table (Stern and Dill, "Using Magnetic Disk Instead of Main Memory in the Murphi Verifier",
// 1998).
//
//   file   | old: not sure to be in the table | recent: in the table |
//   table  | known: in the file                    | candidates      |
//
// Nothing is scanned while the table has the whole file; the table is emptied only when it is full.
#pragma once

#include <span>

#include "store/key_file.h"
#include "store/state_table.h"
#include "xmc/limits.h"

namespace xmc {

class RecentStates {
 public:
  // `shape` has notes. `buffer` holds a slot of the file.
  void init(StateTable& table, std::span<u8> region, const StateTable::Shape& shape, KeyFile& file,
            std::span<u8> buffer);

  // Adds states that are not in the table as candidates; returns how many were looked at: fewer
  // than count when the table is full.
  u32 insert(const Word* states, u32 count) { return table_->insert(states, count, nullptr); }
  u32 candidates() const { return table_->size() - known_; }
  // Blocks of the file with states that the table may lack.
  u64 old_slots() const { return old_slots_; }
  // Looks slots first to last - 1 up. Adds the candidates met to `hits`.
  Status scan(u64 first, u64 last, u64& hits);

  // add(state) for every candidate that no scan has met, in order of discovery: it has to append
  // them to the file, and may end the walk with false. Then all states of the table are known.
  template <class Add>
  Status settle(Add add) {
    Word state[limits::kStateWords];
    for (StateIndex i = known_; i < table_->size(); ++i) {
      if (table_->note(i) != 0) continue;
      table_->load(i, state);
      bool go_on = true;
      XMC_TRY(add(state, go_on));
      if (!go_on) return {};
    }
    known_ = table_->size();
    return {};
  }
  // The same for candidates that go elsewhere unchecked; the table is empty afterwards.
  template <class Add>
  Status spill(Add add) {
    XMC_TRY(settle(add));
    forget();
    return {};
  }
  // Empties the table. Everything in it is known, or given up.
  void forget();

 private:
  StateTable* table_ = nullptr;
  std::span<u8> region_;
  StateTable::Shape shape_;
  KeyFile* file_ = nullptr;
  std::span<u8> buffer_;
  StateIndex known_ = 0;
  u64 old_slots_ = 0;
};

}  // namespace xmc
