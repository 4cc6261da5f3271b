#include "engine/levels/level_owners.h"

#include <algorithm>

#include "engine/levels/frontier.h"
#include "engine/levels/visited_set.h"
#include "engine/search/level_checkpoint.h"

namespace xmc {

namespace {

// What an owner says at the end of a round, beside orders.
constexpr u64 kThrough = u64{1} << 8;

}  // namespace

void LevelOwners::plan(Frontier& frontier, const Exchange::Taker& taker, Arena& arena) {
  *this = LevelOwners();
  frontier_ = &frontier;
  SearchOwners::plan(frontier.search, 0, taker, arena);
}

Status LevelOwners::gather(Said& said) {
  const u64 mine[] = {frontier_->point.next, frontier_->point.level_end};
  u64 all[2 * limits::kOwners];
  XMC_TRY(peers_->gather(mine, {all, std::size_t{2} * peers_->count()}));
  for (u32 i = 0; i < peers_->count(); ++i) {
    said.next_of_all += all[2 * i];
    said.level_end_of_all += all[2 * i + 1];
  }
  XMC_TRY(agree_on_smallest(*peers_, frontier_->search.model.state_words, culprit));
  if (!talks()) culprit = Candidate();
  return {};
}

void LevelOwners::lines(Lines& io, Said& said) {
  SearchOwners::lines(io);
  if (talks()) {
    io.shown("next-of-all", said.next_of_all);
    io.shown("level-end-of-all", said.level_end_of_all);
  }
  field_lines(io, said.fields);
  xmc::lines(io, culprit, frontier_->search.model.state_words);
}

Status LevelOwners::tell(Said& said) {
  XMC_TRY(divide_as(said.fields));
  return tell_violation();
}

Status LevelOwners::tell_violation() {
  Search& search = frontier_->search;
  SearchOutcome& outcome = *search.outcome;
  const u32 words = search.model.state_words;
  Candidate violation;
  if (outcome.violation != Violation::none) {
    violation.take(frontier_->culprit, words);
    violation.violation = outcome.violation;
    violation.predicate = outcome.predicate;
    violation.error_label = outcome.error_label;
  }
  const u64 mine[] = {violation.found ? outcome.prefix_steps : 0};
  u64 all[limits::kOwners];
  XMC_TRY(peers_->gather(mine, {all, peers_->count()}));
  XMC_TRY(agree_on_smallest(*peers_, words, violation));
  if (!violation.found) return {};
  outcome.violation = violation.violation;
  outcome.predicate = violation.predicate;
  outcome.error_label = violation.error_label;
  outcome.prefix_steps = *std::max_element(all, all + peers_->count());
  std::copy_n(violation.state, words, frontier_->culprit);
  return {};
}

OwnerSums::Figures LevelOwners::figures(u64 level) const {
  const SearchStats& stats = frontier_->search.outcome->stats;
  OwnerSums::Figures mine;
  mine.level = level;
  mine.states = frontier_->set->states();
  mine.transitions = stats.transitions;
  mine.expansions = stats.expansions;
  mine.found = culprit.found ? 1 : 0;
  mine.left_out = frontier_->at.left_out ? 1 : 0;
  return mine;
}

Status LevelOwners::poll(bool level_done) {
  if (!talks()) {
    search_->poll_countdown = Search::kPollInterval;
    return look_at_stop();
  }
  Progress progress = sums_.progress(figures(0));
  progress.level = frontier_->at.level;
  progress.level_states = level_states_;
  progress.level_done = level_done;
  progress.ram_used = peers_->count() * frontier_->memory.region.size();
  progress.work = search_->work;
  Status status = ask(progress);
  if (!level_done) ask_for_checkpoint(false);
  return status;
}

void LevelOwners::ask_for_checkpoint(bool level_end) {
  const SearchOptions& options = frontier_->search.options;
  Checkpointer* const checkpoints = options.checkpoints;
  // Of the last level that is looked at there is none: what it leads to is not kept.
  const bool last = frontier_->at.level >= options.depth_limit;
  if (!talks() || checkpoints == nullptr || last) return;
  order_checkpoint_ = order_checkpoint_ || checkpoints->due(level_end);
}

Status LevelOwners::end_round(bool mine, bool& through) {
  XMC_TRY(exchange_->end_round(orders() | (mine ? kThrough : 0)));
  through = true;
  for (const u64 each : exchange_->notes()) through = through && (each & kThrough) != 0;
  take_orders(exchange_->notes()[0]);
  return {};
}

Status LevelOwners::meet(u64 level) { return sums_.add_up(*peers_, figures(level)); }

Status LevelOwners::agree_on_violation() {
  Search& search = frontier_->search;
  if (all().found == 0) return {};
  const u32 words = search.model.state_words;
  XMC_TRY(agree_on_smallest(*peers_, words, culprit));
  if (search.is_nearer(culprit.violation, frontier_->at.level)) {
    Expansion shown;
    shown.violated = culprit.predicate;
    shown.error_label = culprit.error_label;
    search.record(culprit.violation, shown, frontier_->at.level);
    std::copy_n(culprit.state, words, frontier_->culprit);
  }
  culprit = Candidate();
  return {};
}

Status LevelOwners::finish(const Status& status) {
  return SearchOwners::finish(status, status.ok() ? frontier_->set->states() : 0);
}

}  // namespace xmc
