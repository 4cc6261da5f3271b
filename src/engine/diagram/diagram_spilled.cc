// DiagramVisited once it has spilled: candidates that wait on flash for the end of their level, and
// become part of the diagram, or a run by themselves.
#include <algorithm>

#include "engine/diagram/diagram_visited.h"
#include "xmc/check.h"

namespace xmc {

namespace {

// A level of so many candidates, as a share of what a full diagram had, becomes a run by itself:
// the diagram costs more than merging a run that is smaller than a full one. (With 1, 3, 8, 20
// adding.3 took 1.09, 0.92, 0.70, 0.68 s at 4M, production_cell.5 4.3, 3.6, 3.4, 3.5 at 4200K.)
constexpr u64 kWideShare = 16;

}  // namespace

// Of the keys that are not done, leaves those that the set does not have. What was compared once
// need not be again: later runs have none of them.
Status DiagramVisited::compare_rest(Word*& keys, u32& count, u32& done, bool& compared) {
  if (compared || !set_.spilled()) return {};
  back_.give_up();  // what runs have is dropped before it is looked at
  compared = true;
  keys += u64{done} * order_.key_words();
  count -= done;
  done = 0;
  return set_.keep_new(keys, count);
}

// Writes the batch as a run, without the keys that the diagram has.
Status DiagramVisited::hold_back(u32 count) {
  const PhaseClock::Scope scope(search().clock, Phase::partitioning);
  XMC_TRY(set_.drop_recent(batch_keys_, count));
  return count == 0 ? Status() : held_back_.add(batch_keys_, count);
}

// Candidates of the keys buffer into the diagram, or to flash when that is full.
Status DiagramVisited::add_to_diagram(u32 count) {
  Word* rest = layout_.keys;
  bool compared = false;
  for (u32 done = 0; done < count;) {
    XMC_TRY(compare_rest(rest, count, done, compared));
    XMC_TRY(insert_sorted(rest, count, done, Insert::candidates));
    if (done < count) XMC_TRY(set_.spill());
  }
  return {};
}

// The same without the diagram, which is empty.
Status DiagramVisited::add_to_run(u32 count) {
  XMC_TRY(set_.keep_new(layout_.keys, count));
  std::fill_n(layout_.fresh, DiagramSet::kChunk / 64, ~u64{0});
  for (u32 done = 0, part = 0; done < count; done += part) {
    part = std::min(count - done, DiagramSet::kChunk);
    XMC_TRY(enqueue_fresh(layout_.keys + u64{done} * order_.key_words(), part));
  }
  return set_.add_run(layout_.keys, count);
}

// The keys buffer is free: the batch is among the runs.
Status DiagramVisited::settle_held_back() {
  XMC_TRY(compare_waiting());
  const u64 begun = frontier_->now();
  const u64 keys = held_back_.keys();
  const u64 before = queue().keys();
  const bool wide = set_.spilled() && keys >= set_.most_spilled() / kWideShare;
  if (wide) XMC_TRY(set_.spill());
  for (bool first = true;; first = false) {
    u32 count = 0;
    {
      const PhaseClock::Scope scope(search().clock, Phase::partitioning);
      if (first) XMC_TRY(held_back_.begin_merge());
      XMC_TRY(held_back_.next_keys(layout_.keys, layout_.batch_states, count));
    }
    if (count == 0) break;
    XMC_TRY(wide ? add_to_run(count) : add_to_diagram(count));
  }
  XMC_TRY(set_.end_run());
  waiting_.compared(keys, frontier_->now() - begun);
  waiting_.enqueued_since(before);
  return held_back_.clear();
}

// --- Levels that wait -------------------------------------------------------------------------

// Those that the diagram does not have. What does not fit waits on flash and is compared.
Status DiagramVisited::insert_unchecked(u32 count) {
  waiting_.add_level();
  u32 done = 0;
  XMC_TRY(insert_sorted(batch_keys_, count, done, Insert::candidates));
  if (done == count) return {};
  return held_back_.add(batch_keys_ + u64{done} * order_.key_words(), count - done);
}

// The runs get all that was checked, and what waited is compared with them first of all.
Status DiagramVisited::restore_waiting() {
  if (!waiting_.any()) return {};
  const u64 first = waiting_.checked();
  XMC_TRY(set_.spill());
  XMC_TRY(compare_waiting());
  XMC_TRY(reader().seek_key(first));
  XMC_LET(const Filling filling, insert_from_queue(queue().keys() - first, layout_.buffers()));
  XMC_CHECK(filling == Filling::done);
  return {};
}

}  // namespace xmc
