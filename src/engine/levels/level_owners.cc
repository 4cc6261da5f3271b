#include "engine/levels/level_owners.h"

#include <algorithm>
#include <new>

#include "engine/levels/frontier.h"
#include "engine/levels/visited_set.h"
#include "engine/search/level_checkpoint.h"
#include "engine/search/owner_choice.h"
#include "engine/search/owner_figures.h"
#include "store/checkpoint/manifest.h"
#include "xmc/check.h"

namespace xmc {

namespace {

// What owners say at the end of a round, beside Exchange::kCall.
constexpr u64 kThrough = u64{1} << 8;
constexpr u64 kCheckpoint = u64{1} << 9;
constexpr u64 kStop = 0xFF;

}  // namespace

void LevelOwners::plan(Frontier& frontier, const Exchange::Taker& taker, Arena& arena) {
  *this = LevelOwners();
  frontier_ = &frontier;
  const std::span<Peers* const> owners = frontier.search.options.owners;
  if (owners.empty()) return;
  XMC_CHECK(owners.size() == 1);
  timed_ = TimedPeers(*owners[0], frontier.search.options.now_ns);
  peers_ = &timed_;
  exchange_ = ::new (arena.carve("owners", sizeof(Exchange), alignof(Exchange))) Exchange();
  exchange_->start(*peers_, frontier.search.model.state_words, taker);
}

Status LevelOwners::choose_fields(std::span<u8> memory) {
  Search& search = frontier_->search;
  Word mask[limits::kStateWords];
  std::copy_n(exchange_->mask(), search.model.state_words, mask);
  if (talks()) OwnerChoice::choose(search, peers_->count(), memory, mask);
  XMC_TRY(hear_words(*peers_, 0, search.model.state_words, mask));
  exchange_->divide_by(mask);
  return {};
}

Status LevelOwners::save(Manifest& manifest) {
  const u32 words = frontier_->search.model.state_words;
  const u64 mine[] = {frontier_->point.next, frontier_->point.level_end};
  u64 all[2 * limits::kOwners];
  XMC_TRY(peers_->gather(mine, {all, std::size_t{2} * peers_->count()}));
  u64 sums[2] = {};
  for (u32 i = 0; i < 2 * peers_->count(); ++i) sums[i % 2] += all[i];
  XMC_TRY(agree_on_smallest(*peers_, words, culprit));
  manifest.add("owners", peers_->count());
  manifest.add("owner", peers_->me());
  if (!talks()) {
    culprit = Candidate();
    return {};
  }
  manifest.add("next-of-all", sums[0]);
  manifest.add("level-end-of-all", sums[1]);
  manifest.add_words("owner-mask", {exchange_->mask(), words});
  if (culprit.found) save_candidate(manifest, culprit, words);
  return {};
}

Status LevelOwners::restore(const Manifest& manifest) {
  const u32 words = frontier_->search.model.state_words;
  Word mask[limits::kStateWords];
  if (talks()) XMC_TRY(manifest.words("owner-mask", {mask, words}));
  XMC_TRY(hear_words(*peers_, 0, words, mask));
  exchange_->divide_by(mask);
  XMC_TRY(restore_candidate(manifest, culprit, words));
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
  Search& search = frontier_->search;
  search.poll_countdown = Search::kPollInterval;
  if (talks()) {
    Progress progress = sums_.progress(figures(0));
    progress.level = frontier_->at.level;
    progress.level_states = level_states_;
    progress.level_done = level_done;
    progress.ram_used = peers_->count() * frontier_->memory.region.size();
    progress.work = search.work;
    const StopReason reason = (*search.control)(progress);
    if (order_stop_ == StopReason::none) order_stop_ = reason;
    if (!level_done) ask_for_checkpoint(false);
  }
  return Status::stop(peers_->stopped());
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

u64 LevelOwners::orders() const {
  if (!has_order()) return 0;
  return static_cast<u64>(order_stop_) | (order_checkpoint_ ? kCheckpoint : 0) | Exchange::kCall;
}

void LevelOwners::take_orders(u64 orders) {
  ordered_stop_ = static_cast<StopReason>(orders & kStop);
  checkpoint_ordered_ = (orders & kCheckpoint) != 0;
}

Status LevelOwners::pass_orders() {
  const u64 mine[] = {orders()};
  u64 all[limits::kOwners];
  XMC_TRY(peers_->gather(mine, {all, peers_->count()}));
  take_orders(all[0]);
  return {};
}

Status LevelOwners::stop_together() {
  XMC_TRY(pass_orders());
  const StopReason stop = ordered_stop_;
  clear_orders();
  if (stop != StopReason::none) set_agreed();
  return Status::stop(stop);
}

void LevelOwners::clear_orders() {
  order_stop_ = ordered_stop_ = StopReason::none;
  order_checkpoint_ = checkpoint_ordered_ = false;
}

Status LevelOwners::meet(u64 level) { return sums_.add_up(*peers_, figures(level)); }

Status LevelOwners::agree_on_violation() {
  Search& search = frontier_->search;
  if (all().found == 0) return {};
  const u32 words = search.model.state_words;
  XMC_TRY(agree_on_smallest(*peers_, words, culprit));
  if (search.outcome->violation == Violation::none) {
    Expansion shown;
    shown.violated = culprit.predicate;
    shown.error_label = culprit.error_label;
    search.record(culprit.violation, shown, frontier_->at.level);
    std::copy_n(culprit.state, words, frontier_->culprit);
  }
  culprit = Candidate();
  return {};
}

void LevelOwners::leave(const Status& status) {
  const StopReason reason = status.stop_reason();
  if (status.ok() || (agreed_ && reason != StopReason::none)) return;
  peers_->stop(reason == StopReason::none ? StopReason::peer : reason);
}

Status LevelOwners::total(SearchStats& stats) {
  const SearchStats& before = frontier_->search.times_before;
  exchange_->note_sent(before, stats);
  stats.waited_us = timed_.waited_ns() / 1000;
  if (before.waited_us != kNoFigure) stats.waited_us += before.waited_us;
  return total_figures(*peers_, stats);
}

Status LevelOwners::tell_share() {
  const Search& search = frontier_->search;
  const u64 before = search.times_before.transitions;
  const u64 steps = search.outcome->stats.transitions;
  OwnerShare mine;
  mine.states = frontier_->set->states();
  if (steps != kNoFigure) mine.steps = steps - (before == kNoFigure ? 0 : before);
  mine.sent_states = exchange_->sent_states();
  mine.sent_bytes = exchange_->sent_bytes();
  mine.waited_us = timed_.waited_ns() / 1000;
  return xmc::tell_share(*peers_, mine, search.options.shares);
}

}  // namespace xmc
