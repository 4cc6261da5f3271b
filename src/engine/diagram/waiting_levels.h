// WaitingLevels: levels of a diagram that has spilled, whose candidates are compared with the runs
// together.
//
// While levels wait, candidates that are not in the diagram go to the queue and to the diagram
// without a look at the runs, so that some of them may have been expanded long ago. All of them are
// compared later, in one pass: before the diagram is written out (the runs would have them
// themselves then), before digits are split, when the wait stops paying, and at the end. Repeats
// stay in the queue, where their first occurrence has the true level (level_search.h); their counts
// are taken back, for those that are still to be expanded in advance.
#pragma once

#include "engine/diagram/run_wait.h"
#include "engine/levels/frontier.h"
#include "store/diagram/key_order.h"
#include "store/tiered/diagram_set.h"
#include "store/tiered/sorted_keys.h"

namespace xmc {

class WaitingLevels {
 public:
  void plan(Frontier& frontier, KeyOrder& order, DiagramSet& set) {
    frontier_ = &frontier;
    order_ = &order;
    set_ = &set;
  }
  // None waits, and none ever did.
  void forget();
  // So many levels wait at a time, whatever that costs; 0: as it pays.
  void wait_for(u32 levels) { levels_to_wait_ = levels; }

  bool any() const { return now_.unchecked != kAllChecked; }
  // Those states of the queue, from the first one on, that were compared.
  u64 checked() const { return any() ? now_.unchecked : frontier_->queue.keys(); }
  // Whether a level may wait, or wait longer; with this much room for keys.
  bool may_wait(u32 candidates, u32 room) const;
  // Another level waits.
  void add_level();
  // Compares what waits with the runs, in a buffer with room for so many keys.
  Status compare(Word* keys, u32 room);
  // Sees to it that what waits has keys. False: a digit has to be split.
  Status number(const KeyBuffers& buffers, bool& coded);

  // What costs: the candidates of one level were compared; a level was expanded, and is settled.
  void compared(u64 keys, u64 ns) { policy_.compared(keys, ns); }
  void expanded();
  void settled();
  // States that were enqueued since the queue had so many are no repeats.
  void enqueued_since(u64 before);
  // After the last level, with nothing that waits.
  void conclude();

  // If any level ever waited. Before they are written comes settled().
  void lines(Lines& io);
  Status restore(Lines& io);

 private:
  static constexpr u64 kAllChecked = ~u64{0};

  Status find(Word* keys, u32 half, u64 first, u32 count, u32& hits);
  Status take_back(const Word* keys, u64 first, u32 count, u32 hits);
  SearchStats& stats() const { return frontier_->search.stats(); }

  Frontier* frontier_ = nullptr;
  KeyOrder* order_ = nullptr;
  DiagramSet* set_ = nullptr;
  RunWait policy_;
  u32 levels_to_wait_ = 0;
  u32 levels_ = 0;      // that have waited
  u64 settled_ns_ = 0;  // when expansion began
  u64 expansions_ = 0;  // and how many there were
  struct Place {
    u64 unchecked = kAllChecked;  // the first state of the queue that the runs may have
    u64 proper_levels = 0;        // levels that have more than repeats; 0: none ever waited
  };
  Place now_;
  // At the last resume point, with what the queue has had since.
  Place resume_;
};

}  // namespace xmc
