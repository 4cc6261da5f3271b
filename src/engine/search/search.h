// Search: what every search has: the model, the successor buffer, the counters, how one state is
// expanded and judged, and how the outside is asked. What is known about states is elsewhere.
#pragma once

#include <span>

#include "engine/search/block_expander.h"
#include "store/tables/state_table.h"
#include "xmc/engine.h"
#include "xmc/model.h"
#include "xmc/phase_clock.h"

namespace xmc {

struct Search {
  // Successors are collected until there are this many; then they are inserted together. 64 were 4%
  // slower, 1024 not faster: the table works in batches of 64 anyway.
  static constexpr u32 kCollect = 4 * StateTable::kBatch;
  // Expansions between two calls of poll().
  static constexpr u32 kPollInterval = 2048;

  Model model;
  SearchOptions options;
  Word* buffer = nullptr;  // kCollect + max_successors states
  u32 buffer_states = 0;
  u64 fixed_bytes = 0;                   // of the plan, the table's region apart
  Word state[limits::kStateWords] = {};  // the state being expanded

  PhaseClock clock;
  SearchStats times_before;  // those of the run's earlier processes
  BlockExpander ahead;       // of levels that are expanded on several threads

  const RunControl* control = nullptr;
  SearchOutcome* outcome = nullptr;
  LongWork work;  // what is under way, for poll()
  u32 poll_countdown = kPollInterval;

  SearchStats& stats() { return outcome->stats; }
  bool cycle_found() const { return outcome->violation == Violation::accepting_cycle; }
  Word* buffer_at(u32 i) { return buffer + u64{i} * model.state_words; }

  // The initial states, which are in the buffer then.
  u32 initial();
  // Expands a state into the buffer behind `fill` successors that are waiting there. Counts the
  // expansion, nothing else.
  Expansion expand_state(const Word* from, u32 fill) { return expand_state(from, fill, false); }
  // The same for state `index` of a table. Its words are in `state` afterwards.
  Expansion expand(const StateTable& table, StateIndex index, u32 fill);
  // The same where the search can stop: in front of this state, if is_unfinished(). It has not been
  // counted then.
  Expansion try_state(const Word* from, u32 fill) { return expand_state(from, fill, true); }
  Expansion try_expand(const StateTable& table, StateIndex index, u32 fill);
  static bool is_unfinished(const Expansion& e) { return (e.flags & kUnfinished) != 0; }
  // Hands the states of a table from `next` to `end` out that are not yet, as far as `ahead` has
  // room.
  void read_ahead(const StateTable& table, StateIndex next, StateIndex end);
  // The same for the next state that waits in `ahead`, which was expanded meanwhile.
  Expansion expand_ahead(u32 fill);
  // Whether `target` is among the successors of `from`; overwrites the buffer.
  bool leads_to(const Word* from, const Word* target);
  // The first expansion of a state: counts what it shows and says whether it violates anything.
  Violation judge(const Expansion& expansion, u32 fill) { return judge(state, expansion, fill); }
  Violation judge(const Word* from, const Expansion& expansion, u32 fill);

  // How far a violation is: a bad state of level k is k steps away, an erroneous step out of level
  // k leads one further. So a level is judged to its end before an erroneous step out of it counts,
  // and the least distance wins; of equal ones the one that is found first.
  //
  // Whether a violation of this level takes the place of what is known.
  bool is_nearer(Violation violation, u64 level) const {
    if (violation == Violation::none) return false;
    return outcome->violation == Violation::none ||
           (violation != Violation::model_error && outcome->violation == Violation::model_error &&
            outcome->prefix_steps == level);
  }
  // Whether nothing on this level or behind it is nearer than the violation that is known.
  bool is_nearest(u64 level) const {
    return outcome->violation != Violation::none &&
           (outcome->violation != Violation::model_error || outcome->prefix_steps < level);
  }
  // Whether a search that everything before this level is judged of, and some of it, can end.
  bool over(u64 level) const { return !options.full && is_nearest(level); }
  // Or is to judge the rest of the level and nothing else: what that leads to is not looked at.
  bool only_judges() const { return !options.full && outcome->violation != Violation::none; }
  // Whether the outside is to be asked after this state: one of kPollInterval.
  bool is_time() { return --poll_countdown == 0; }
  // Asks it now: a stop is Status::stop. The transitions and expansions are filled in here.
  Status poll(Progress progress);
  // The clock starts; the figures of time go on from those that a checkpoint has.
  void start_clock() { clock.start(options.now_ns, options.folder); }
  void note_times(SearchStats& into);
  // The file that has all states has these bytes and entries, repeats and copies among them.
  void note_payload(u64 bytes, u64 entries);
  // States that plan() makes room for in the buffer.
  static u32 buffer_states_for(const Model& model) { return kCollect + model.max_successors; }
  void record(Violation violation, const Expansion& expansion, u64 prefix_steps);

 private:
  Expansion expand_state(const Word* from, u32 fill, bool may_stop);
  void note_long(const Expansion& expansion);
};

}  // namespace xmc
