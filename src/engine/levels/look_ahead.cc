#include "engine/levels/look_ahead.h"

#include <algorithm>

namespace xmc {

u64 LookAhead::end() const {
  return at_ == At::next_level ? frontier_->queue.keys() : frontier_->at.end;
}

bool LookAhead::may_look(const Taker& taker) const {
  if (stuck_) return false;
  const bool bad =
      found_.violation != Violation::none && found_.violation != Violation::model_error;
  const bool ended = bad && !frontier_->search.options.full;
  return at_ != At::nothing && position() < end() && !ended && taker.has_room(taker.self);
}

Status LookAhead::look(const Taker& taker, u32 states, bool& went_on) {
  Search& search = frontier_->search;
  const PhaseClock::Scope scope(search.clock, Phase::expansion);
  went_on = false;
  SearchOutcome* const outcome = search.outcome;
  search.outcome = &found_;  // counts go there
  Status status;
  for (u32 i = 0; i < states && status.ok() && may_look(taker); ++i) {
    status = look_at_next(taker);
    went_on = !stuck_;
  }
  search.outcome = outcome;
  return status;
}

Status LookAhead::look_at_next(const Taker& taker) {
  Search& search = frontier_->search;
  if (count_ == 0) {
    SearchStats& s = found_.stats;
    s.bad_states = kNoFigure;
    s.transitions = s.deadlocks = s.expansions = s.error_steps = s.accepting = 0;
  }
  const Word* state = nullptr;
  Expansion expansion;
  Status next = expander_->next(position(), end(), state, expansion);
  // The search itself stops in front of a state that does not end.
  stuck_ = next.take_stop() != StopReason::none;
  if (stuck_ || !next.ok()) return next;
  ++count_;
  const Violation violation = search.judge(state, expansion, expander_->fill());
  expander_->add_fill(expansion.count);
  if (search.is_nearer(violation, 0)) {
    search.record(violation, expansion, 0);
    std::copy_n(state, search.model.state_words, culprit_);
  }
  if (expander_->fill() >= Search::kCollect) hand_over(taker);
  return {};
}

void LookAhead::hand_over(const Taker& taker) {
  const u32 count = expander_->take_fill();
  if (frontier_->at.last && frontier_->at.left_out) return;
  frontier_->search.clock.turn_to(Phase::insertion);
  taker.take(taker.self, count);
  frontier_->search.clock.turn_to(Phase::generation);
}

void LookAhead::absorb() {
  if (count_ == 0) return;
  Search& search = frontier_->search;
  SearchStats& s = search.stats();
  s.expansions += found_.stats.expansions;
  s.transitions = counted_sum(s.transitions, found_.stats.transitions);
  s.deadlocks += found_.stats.deadlocks;
  s.error_steps += found_.stats.error_steps;
  if (found_.stats.bad_states != kNoFigure) {
    s.bad_states = (s.bad_states == kNoFigure ? 0 : s.bad_states) + found_.stats.bad_states;
  }
  if (search.model.buchi) s.accepting += found_.stats.accepting;
  SearchOutcome& outcome = *search.outcome;
  if (search.is_nearer(found_.violation, frontier_->at.level)) {
    outcome.violation = found_.violation;
    outcome.predicate = found_.predicate;
    outcome.error_label = found_.error_label;
    outcome.prefix_steps = frontier_->at.level;
    std::copy_n(culprit_, search.model.state_words, frontier_->culprit);
  }
  frontier_->at.next += count_;
  // A poll is due as soon as it would have been.
  u32& countdown = search.poll_countdown;
  countdown -= static_cast<u32>(std::min<u64>(count_, countdown - 1));
  count_ = 0;
  found_ = SearchOutcome();
}

Status LookAhead::forget() {
  if (count_ == 0) return {};
  expander_->forget();
  count_ = 0;
  found_ = SearchOutcome();
  return frontier_->reader.seek_key(frontier_->at.next);
}

}  // namespace xmc
