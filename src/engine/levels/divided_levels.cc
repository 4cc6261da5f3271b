// LevelSearch as one owner of several: the level loop, in step with the others.
//
//   rounds of a level: expand states, send successors to their owners, take those that come;
//   until nobody has any left
//   at its end: the set settles; all add up what they have, and agree on a violation
//
// States, transitions and levels are those of one owner, whatever the timing. A level is always
// finished, also when a violation was found in it, and the smallest violating state counts, before
// any with an erroneous step; so does the smallest predecessor at every step of the way back
// (level_path.cc).
#include <algorithm>
#include <utility>

#include "engine/levels/level_search.h"
#include "xmc/check.h"

namespace xmc {

Status LevelSearch::search_divided() {
  const PhaseClock::Scope scope(frontier_.search.clock, Phase::expansion);
  LevelOwners& owners = frontier_.owners;
  LevelPlace& at = frontier_.at;
  frontier_.reader_moved = true;
  XMC_TRY(owners.meet(at.end - at.next));
  // After a resume: a level that was done.
  if (owners.all().level == 0) XMC_TRY(end_divided_level());
  while (owners.all().level != 0 && !frontier_.over()) {
    owners.begin_level();
    frontier_.search.stats().levels = at.level + 1;
    at.enqueue_level = at.level + 1;
    at.last = at.level >= frontier_.search.options.depth_limit;
    XMC_TRY(expand_divided_level());
    XMC_TRY(set_.settle(true));
    XMC_TRY(end_divided_level());
  }
  return {};
}

Status LevelSearch::expand_divided_level() {
  LevelOwners& owners = frontier_.owners;
  const LevelPlace& at = frontier_.at;
  for (bool through = false, again = false;; again = true) {
    XMC_TRY(expand_states());
    // Another owner may be in front of a state that does not end, and waits for an order to stop.
    if (again && owners.talks()) XMC_TRY(frontier_.poll(at.end - at.next, false));
    XMC_TRY(flush_buffer());
    XMC_TRY(owners.end_round(at.next == at.end, through));
    if (through) return {};
    XMC_TRY(owners.meet(at.end - at.next));
    XMC_TRY(follow_orders());
  }
}

// What owner 0 was told. It is done at the same point by everybody.
Status LevelSearch::follow_orders() {
  LevelOwners& owners = frontier_.owners;
  const StopReason stop = owners.ordered_stop();
  const bool checkpoint = owners.checkpoint_ordered();
  owners.clear_orders();
  if (stop != StopReason::none) {
    owners.set_agreed();
    return Status::stop(stop);
  }
  if (!checkpoint) return {};
  XMC_TRY(set_.settle(false));
  frontier_.set_resume_point();
  return frontier_.checkpoint();
}

// Everything that was found is with its owner, and in its set.
Status LevelSearch::end_divided_level() {
  LevelOwners& owners = frontier_.owners;
  LevelPlace& at = frontier_.at;
  at.judged = true;
  const u64 next = frontier_.enqueued() - at.end;
  XMC_TRY(owners.meet(next));
  XMC_TRY(owners.agree_on_violation());
  if (frontier_.over()) return {};
  XMC_TRY(path_.keep());
  if (!at.last) frontier_.set_resume_point();
  if (owners.talks()) XMC_TRY(frontier_.poll(0, true));
  if (owners.all().left_out != 0) {
    owners.set_agreed();
    return Status::stop(StopReason::depth_limit);
  }
  if (owners.all().level == 0) return {};
  XMC_TRY(frontier_.search_prefix_together(at.end));
  if (frontier_.over()) return {};
  at.begin = at.end;
  at.end += next;
  ++at.level;
  at.judged = false;
  frontier_.set_resume_point();
  owners.ask_for_checkpoint(true);
  return {};
}

Status LevelSearch::share_out(u32 count) {
  Search& search = frontier_.search;
  search.clock.turn_to(Phase::insertion);
  XMC_LET(const u32 mine, frontier_.owners.share_out(search.buffer, count));
  XMC_TRY(take(search.buffer, mine));
  XMC_TRY(frontier_.owners.take_what_came());
  search.clock.turn_to(Phase::generation);
  return {};
}

// States of this owner, found here or elsewhere: sets look for them in the search's buffer.
Status LevelSearch::take(Word* states, u32 count) {
  if (dividing_ != nullptr) return take_divided(states, count);
  if (count == 0 || (frontier_.at.last && frontier_.at.left_out)) return {};
  Search& search = frontier_.search;
  Word* const buffer = std::exchange(search.buffer, states);
  const Status status = set_.take(count);
  search.buffer = buffer;
  return status;
}

}  // namespace xmc
