// LevelSearch of one owner, in a run that goes on with another number of owners: every state of the
// checkpoint goes to the queue of its new owner, level by level, those that were expanded first.
// The files of the old owners stay as they are.
#include <algorithm>

#include "engine/levels/level_search.h"
#include "engine/levels/old_queues.h"
#include "engine/search/level_checkpoint.h"

namespace xmc {

// What all parts say of the run, to everybody: where the search was, and what it had found.
Status LevelSearch::hear_of_parts() {
  LevelOwners& owners = frontier_.owners;
  Search& search = frontier_.search;
  Peers& peers = owners.peers();
  const u32 words = search.model.state_words;
  u64 level = 0;
  owners.culprit = Candidate();
  for (const OwnerPart& part : search.options.parts) {
    Lines io = Lines::of(*part.lines);
    io.version("levels", 1);
    io.number("level", level);
    lines(io, search.stats());
    lines(io, *search.outcome, {frontier_.culprit, words});
    if (io.there("found", true)) lines(io, owners.culprit, words);
    XMC_TRY(io.status());
  }
  XMC_TRY(owners.tell_violation());
  const u64 mine[] = {level};
  u64 all[limits::kOwners];
  XMC_TRY(peers.gather(mine, {all, peers.count()}));
  frontier_.at.level = *std::max_element(all, all + peers.count());
  search.times_before = search.stats();
  return {};
}

// The region is free: it has the old queues.
Status LevelSearch::divide_anew() {
  LevelOwners& owners = frontier_.owners;
  LevelPlace& at = frontier_.at;
  const SearchOptions& options = frontier_.search.options;
  XMC_TRY(frontier_.open_queue());
  frontier_.steps_back = true;  // the old owners may have seen one
  XMC_TRY(owners.choose_fields(frontier_.memory.region));
  XMC_TRY(hear_of_parts());
  OldQueues old;
  Status status = old.open(options.parts, frontier_.memory.region, frontier_.search);
  dividing_ = &old;
  for (u64 level = 0; status.ok() && level <= at.level + 1; ++level) {
    at.enqueue_level = level;
    status = move_level(true);
    if (level == at.level) at.begin = at.next = frontier_.queue.keys();
    if (status.ok()) status = move_level(false);
    if (level == at.level) at.end = frontier_.queue.keys();
  }
  dividing_ = nullptr;
  old.close();
  XMC_TRY(status);
  frontier_.set_resume_point();
  return {};
}

// An accepting cycle is known to those who found it, whose numbers and files are others now: it is
// looked for once more. False: that is not what the path leads to.
bool LevelSearch::forget_cycle() {
  SearchOutcome& outcome = *frontier_.search.outcome;
  if (!frontier_.search.cycle_found()) return false;
  outcome.violation = Violation::none;
  outcome.prefix_steps = 0;
  frontier_.point.violation = Violation::none;
  SearchStats& s = outcome.stats;
  for (u64* const figure : {&s.transitions, &s.deadlocks, &s.error_steps, &s.accepting}) {
    if (*figure == kNoFigure) *figure = 0;
  }
  return true;
}

// Those states of a level that were expanded, or those that were not, to their owners.
Status LevelSearch::move_level(bool expanded) {
  Search& search = frontier_.search;
  u32 fill = 0;
  while (true) {
    XMC_LET(const bool more,
            dividing_->next(frontier_.at.enqueue_level, expanded, search.buffer_at(fill)));
    if (more && ++fill < Search::kCollect) continue;
    XMC_TRY(share_out(fill));
    fill = 0;
    if (!more) break;
  }
  bool through = false;
  XMC_TRY(frontier_.owners.end_round(true, through));
  return frontier_.owners.meet(0);
}

Status LevelSearch::take_divided(const Word* states, u32 count) {
  for (u32 i = 0; i < count; ++i) {
    XMC_TRY(frontier_.queue.append(states + u64{i} * frontier_.search.model.state_words,
                                   frontier_.at.enqueue_level));
  }
  return {};
}

}  // namespace xmc
