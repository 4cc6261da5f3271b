// RamSearch: what the breadth-first and the nested depth-first search in memory share, beside how
// states are expanded (engine/search/search.h): the table that has all states, its side stack, and
// the point at which somebody else goes on.
#pragma once

#include "engine/search/search.h"
#include "store/tables/state_table.h"

namespace xmc {

// The notes of a state in a product: its colour in the nested search, and two flags.
enum Note : u32 {
  kWhite = 0,  // not visited by the nested search
  kCyan = 1,   // on the stack of its outer search
  kBlue = 2,   // left by the outer search
  kRed = 3,    // known not to lead into an accepting cycle, or being looked at by the inner search
  kColourMask = 3,
  kAcceptingNote = 4,
  kCycleNote = 8,  // on the cycle of the lasso that was found
};

struct RamSearch {
  Search* search = nullptr;
  StateTable table;
  StateIndex* indexes = nullptr;  // max_successors of them, for products
  // Whether a step leads back: see Frontier::steps_back. Null: nobody wants to know. Otherwise
  // there are as many indexes as the search's buffer has states.
  bool* steps_back = nullptr;
  u64 path_begin = 0;  // where the counterexample begins on the side stack
  // Of one that was found while the search went on: marks of later levels lie behind it.
  u64 path_states = 0;

  // For engines that go on elsewhere when the table is nearly full: a breadth-first search then
  // stops between two expansions, with StopReason::ram. Whatever the reason for its end, it leaves
  // behind a point from which it could go on.
  struct HandOver {
    u32 keep_room = 0;           // states that must still fit; 0: no hand-over
    u64 after_states = ~u64{0};  // go on elsewhere at this size at the latest
    bool happened = false;
    u64 level = 0;               // being expanded
    StateIndex level_end = 0;    // states of the next level begin here
    StateIndex next = 0;         // everything before is expanded, its successors are in the table
    StateIndex culprit = kNone;  // of a violation that was found before, with --full
    StateIndex found = kNone;    // of a violation, at the end
    bool through = false;        // nothing but its path was left to be found then
    SearchStats stats;           // at that point
    // Called at the end of each level, if there is one: time for a checkpoint. A stop ends the
    // search like any other, a failure ends it all.
    void* owner = nullptr;
    Status (*level_end_call)(void* owner) = nullptr;
  };
  HandOver hand_over;

  // The states of the table, as Search::expand() and Search::read_ahead() have them.
  Expansion expand(StateIndex index, u32 fill) { return search->expand(table, index, fill); }
  Expansion try_expand(StateIndex index, u32 fill) {
    return search->try_expand(table, index, fill);
  }
  void read_ahead(StateIndex next, StateIndex end) { search->read_ahead(table, next, end); }
  // The first index of a level, on the side stack.
  StateIndex mark(u64 level) {
    return table.stack(path_states == 0 || level < path_begin ? level : level + path_states);
  }
  // Writes the initial states; false when the table is too small for them.
  bool insert_initial();
  // Asks the outside whether to go on.
  Status poll(u64 level, u64 level_states, bool level_done);
  // An insertion was refused: ends the search, with what goes into the outcome.
  // `more`: states that are likely to come at least, beside those that are known.
  Status table_full(u64 more);
  Status table_full() { return table_full(table.size()); }
  u64 ram_used() const;
};

}  // namespace xmc
