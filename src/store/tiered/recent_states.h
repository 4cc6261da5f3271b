// RecentStates: a table of recent states in front of a file that has all of them, and how
// candidates are told from old states: by scanning the file and looking every state of it up in the
// table (Stern and Dill, "Using Magnetic Disk Instead of Main Memory in the Murphi Verifier",
// 1998).
//
//   file   | old: not sure to be in the table | recent: in the table |
//   table  | known: in the file                    | candidates      |
//
// Nothing is scanned while the table has the whole file. When the table is full, its older half
// goes, if that is known; otherwise it has to be emptied.
//
// Most states of the file are no candidates. A filter of the candidates, in a sixteenth of the
// memory, says so before the table is asked, which is large, and full of other states.
//
// With signatures the table has no states that could be appended to the file: every candidate goes
// to a second file, `unchecked`, when it is met, and the survivors are read from there.
//
// Which of the two tables it is, is asked once per batch or walk, never per state.
#pragma once

#include <span>

#include "store/files/key_file.h"
#include "store/keys/signature.h"
#include "store/tables/chained_table.h"
#include "store/tables/fingerprint_filter.h"
#include "store/tables/state_table.h"
#include "xmc/limits.h"

namespace xmc {

class RecentStates {
 public:
  struct Setup {
    StateTable* table = nullptr;  // used unless `chained`
    bool chained = false;
    std::span<u8> region;     // for the table and the filter: see region_for()
    StateTable::Shape shape;  // of the states, with notes
    Signature signature;
    KeyFile* file = nullptr;
    KeyFile* unchecked = nullptr;  // with signatures; empty
    std::span<u8> buffer;          // a slot of either file
    GoOn go_on;                    // for scans
  };
  void init(const Setup& setup);
  // What leaves a table this many bytes.
  static u64 region_for(u64 table_bytes) { return table_bytes + table_bytes / 15 + 128; }

  // Adds states that are not in the table as candidates; gives how many were looked at: fewer than
  // count when the table is full.
  Result<u32> insert(const Word* states, u32 count);
  // The same for the next state of `unchecked`, which is read once more: whether it was looked at.
  bool insert_again(const Word* state);
  // What is inserted again begins with the first state of `unchecked`. Empties the table.
  void read_again();
  u32 candidates() const { return size() - known_; }
  // Blocks of the file with states that the table may lack.
  u64 old_slots() const { return old_slots_; }
  // Looks slots first to last - 1 up. Adds the candidates met to `hits`.
  Status scan(u64 first, u64 last, u64& hits);

  // add(state) for every candidate that no scan has met, in order of discovery: it has to append
  // them to the file, and may stop the walk. Otherwise all states of the table are known then.
  template <class Add>
  Status settle(Add add) {
    if (setup_.signature.on()) return settle_unchecked(add);
    const auto walk = [&](auto& table) { return settle_table(table, add); };
    return setup_.chained ? walk(chained_) : walk(*setup_.table);
  }
  // The same for candidates that go elsewhere unchecked; the table is empty afterwards.
  template <class Add>
  Status spill(Add add) {
    XMC_TRY(settle(add));
    forget();
    return {};
  }
  // `unchecked` is settled and emptied.
  Status clear_unchecked();
  // Empties the table, which is likely to fill again. Everything in it is known, or given up.
  void forget() { start_table(size()); }
  // Makes room by dropping known states, the oldest ones; false: too few of the table are known.
  bool drop_older();
  // Into the empty table what the file has had last: as known states, so many that some room is
  // left.
  Status recall();

 private:
  static constexpr u32 kBatch = StateTable::kBatch;
  static constexpr u32 kOldNote = 1;

  void start_table(u64 expected);
  u32 size() const { return setup_.chained ? chained_.size() : setup_.table->size(); }
  u32 insert_keys(const Word* keys, u32 count, StateIndex* indexes);
  void find_keys(const Word* keys, u32 count, StateIndex* indexes) const;
  // Of a batch of states what the table has of them, the states themselves or signatures in `room`.
  const Word* keys_of(const Word* states, u32 count, Word* room) const;
  void note_place(u64 slots);
  // Has the candidates in the filter.
  void make_filter();
  // Notes candidates of a batch as old; how many were not.
  u32 mark_old(const StateIndex* found, u32 count);
  // Whether the state is a candidate that no scan has met; the next time it is not.
  bool take_candidate(const Word* state);

  template <class Table, class Add>
  Status settle_table(Table& table, Add& add) {
    Word state[limits::kStateWords];
    for (StateIndex i = known_; i < table.size(); ++i) {
      if (table.note(i) != 0) continue;
      table.load(i, state);
      XMC_TRY(add(state));
    }
    known_ = table.size();
    note_place(setup_.file->slots());
    return {};
  }

  template <class Add>
  Status settle_unchecked(Add& add) {
    Word state[limits::kStateWords];
    KeyReader reader;
    reader.start(*setup_.unchecked, setup_.buffer);
    if (first_unchecked_ < end_unchecked_) XMC_TRY(reader.seek_key(first_unchecked_));
    for (; first_unchecked_ < end_unchecked_; ++first_unchecked_) {
      XMC_LET(const bool more, reader.next(state));
      XMC_CHECK(more);
      if (!take_candidate(state)) continue;
      XMC_TRY(add(state));
    }
    known_ = size();
    note_place(setup_.file->slots());
    return {};
  }

  Setup setup_;
  ChainedTable chained_;
  std::span<u64> filter_memory_;
  FingerprintFilter filter_;
  StateIndex filter_begin_ = 0;  // whom it has
  StateIndex filter_end_ = 0;
  StateIndex known_ = 0;
  u64 old_slots_ = 0;
  // Places in the table with the blocks of the file that were begun by then: whatever blocks behind
  // have is at the place or behind it.
  struct Place {
    StateIndex index = 0;
    u64 slots = 0;
  };
  static constexpr u32 kPlaces = 32;
  Place places_[kPlaces];
  u32 place_count_ = 0;
  // Numbers of the states of `unchecked` that candidates of the table stand for.
  u64 first_unchecked_ = 0;
  u64 end_unchecked_ = 0;
};

}  // namespace xmc
