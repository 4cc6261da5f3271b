// LevelSearch::look_ahead: expansions that are made before their turn, while another thread is busy
// with the store, and counted when it comes.
#include <algorithm>

#include "engine/levels/level_search.h"
#include "xmc/check.h"

namespace xmc {

u64 LevelSearch::readable_end() const {
  return look_.at == LookAt::next_level ? queue_.keys() : level_end_;
}

bool LevelSearch::may_look_ahead() const {
  const bool ended = look_.found.violation != Violation::none && !search_.options.full;
  return look_.at != LookAt::nothing && position() < readable_end() && !ended && room_ahead();
}

Status LevelSearch::look_ahead(u32 states, bool& went_on) {
  const PhaseClock::Scope scope(search_.clock, Phase::expansion);
  went_on = false;
  SearchOutcome* const outcome = search_.outcome;
  search_.outcome = &look_.found;  // counts go there
  Status status;
  for (u32 i = 0; i < states && status.ok() && may_look_ahead(); ++i) {
    went_on = true;
    status = look_at_next();
  }
  search_.outcome = outcome;
  return status;
}

Status LevelSearch::look_at_next() {
  SearchOutcome& found = look_.found;
  if (look_.count == 0) {
    SearchStats& s = found.stats;
    s.transitions = s.deadlocks = s.expansions = s.error_steps = s.accepting = 0;
  }
  const Word* state = nullptr;
  Expansion expansion;
  XMC_TRY(expand_next(state, expansion));
  ++look_.count;
  const Violation violation = search_.judge(state, expansion, fill_);
  fill_ += expansion.count;
  if (violation != Violation::none && found.violation == Violation::none) {
    search_.record(violation, expansion, 0);
    std::copy_n(state, search_.model.state_words, look_.culprit);
  }
  if (fill_ < Search::kCollect) return {};
  StopReason stop = StopReason::none;
  const Status status = flush_buffer(stop);
  XMC_CHECK(stop == StopReason::none);
  return status;
}

void LevelSearch::absorb() {
  if (look_.count == 0) return;
  const SearchOutcome& found = look_.found;
  SearchStats& s = stats();
  s.expansions += found.stats.expansions;
  s.transitions += found.stats.transitions;
  s.deadlocks += found.stats.deadlocks;
  s.error_steps += found.stats.error_steps;
  if (search_.model.buchi) s.accepting += found.stats.accepting;
  SearchOutcome& outcome = *search_.outcome;
  if (outcome.violation == Violation::none && found.violation != Violation::none) {
    outcome.violation = found.violation;
    outcome.predicate = found.predicate;
    outcome.error_label = found.error_label;
    outcome.prefix_steps = level_;
    std::copy_n(look_.culprit, search_.model.state_words, culprit_);
  }
  next_ += look_.count;
  // A poll is due as soon as it would have been.
  u32& countdown = search_.poll_countdown;
  countdown -= static_cast<u32>(std::min<u64>(look_.count, countdown - 1));
  look_.count = 0;
  look_.found = SearchOutcome();
}

Status LevelSearch::look_back() {
  if (look_.count == 0) return {};
  search_.ahead.discard();
  fill_ = ahead_ = ahead_end_ = 0;
  look_.count = 0;
  look_.found = SearchOutcome();
  return reader_.seek_key(next_);
}

}  // namespace xmc
