// Search: what the breadth-first and the nested depth-first search of the ram engine share: the
// model, the table, the successor buffer, the counters, and how one state is expanded and judged.
#pragma once

#include <span>

#include "engine/search/block_expander.h"
#include "store/tables/state_table.h"
#include "xmc/engine.h"
#include "xmc/model.h"
#include "xmc/phase_clock.h"

namespace xmc {

// The notes of a state in a product: its colour in the nested search, and two marks.
enum Note : u32 {
  kWhite = 0,  // not visited by the nested search
  kCyan = 1,   // on the stack of its outer search
  kBlue = 2,   // left by the outer search
  kRed = 3,    // known not to lead into an accepting cycle, or being looked at by the inner search
  kColourMask = 3,
  kAcceptingNote = 4,
  kCycleNote = 8,  // on the cycle of the lasso that was found
};

struct Search {
  // Successors are collected until there are this many; then they are inserted together. 64 were 4%
  // slower, 1024 not faster: the table works in batches of 64 anyway.
  static constexpr u32 kCollect = 4 * StateTable::kBatch;
  // Expansions between two calls of poll().
  static constexpr u32 kPollInterval = 2048;

  Model model;
  SearchOptions options;
  StateTable table;
  Word* buffer = nullptr;         // kCollect + max_successors states
  StateIndex* indexes = nullptr;  // max_successors of them, for products
  u32 buffer_states = 0;
  u64 fixed_bytes = 0;                   // of the plan, the table's region apart
  Word state[limits::kStateWords] = {};  // the state being expanded

  PhaseClock clock;
  SearchStats times_before;  // those of the run's earlier processes
  BlockExpander ahead;       // of levels that are expanded on several threads

  const RunControl* control = nullptr;
  SearchOutcome* outcome = nullptr;
  u64 path_begin = 0;  // where the counterexample begins on the side stack
  u32 poll_countdown = kPollInterval;

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
    // Called at the end of each level, if there is one: time for a checkpoint. False ends it all.
    void* owner = nullptr;
    bool (*level_end_call)(void* owner) = nullptr;
  };
  HandOver hand_over;

  SearchStats& stats() { return outcome->stats; }
  bool cycle_found() const { return outcome->violation == Violation::accepting_cycle; }
  Word* buffer_at(u32 i) { return buffer + u64{i} * model.state_words; }

  // Expands state `index` into the buffer behind `fill` successors that are waiting there. Counts
  // the expansion, nothing else. The state's words are in `state` afterwards.
  Expansion expand(StateIndex index, u32 fill);
  // The same for a state that is not in the table.
  Expansion expand_state(const Word* from, u32 fill);
  // Hands the states of the table from `next` to `end` out that are not yet, as far as `ahead` has
  // room.
  void read_ahead(StateIndex next, StateIndex end);
  // The same for the next state that waits in `ahead`, which was expanded meanwhile.
  Expansion expand_ahead(u32 fill);
  // Whether `target` is among the successors of `from`; overwrites the buffer.
  bool leads_to(const Word* from, const Word* target);
  // The first expansion of a state: counts what it shows and says whether it violates anything.
  Violation judge(const Expansion& expansion, u32 fill) { return judge(state, expansion, fill); }
  Violation judge(const Word* from, const Expansion& expansion, u32 fill);
  // Writes the initial states; false when the table is too small for them.
  bool insert_initial();
  // Asks the outside whether to go on, every kPollInterval calls or at the end of a level.
  StopReason poll(u64 level, u64 level_states, bool level_done);
  // The reason why an insertion was refused, with what goes into the outcome.
  // `more`: states that are likely to come at least, beside those that are known.
  StopReason table_full(u64 more);
  StopReason table_full() { return table_full(table.size()); }
  u64 ram_used() const;
  // The clock starts; the figures of time go on from those that a checkpoint has.
  void start_clock() { clock.start(options.now_ns, options.folder); }
  void note_times(SearchStats& into);
  // The file that has all states has these bytes and entries, repeats and copies among them.
  void note_payload(u64 bytes, u64 entries);
  // States that plan() makes room for in the buffer.
  static u32 buffer_states_for(const Model& model) { return kCollect + model.max_successors; }
  void record(Violation violation, const Expansion& expansion, u64 prefix_steps);
};

}  // namespace xmc
