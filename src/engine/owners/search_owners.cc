#include "engine/owners/search_owners.h"

#include <algorithm>
#include <new>

#include "engine/owners/owner_choice.h"
#include "engine/owners/owner_figures.h"
#include "store/checkpoint/lines.h"
#include "xmc/check.h"

namespace xmc {

namespace {

// What owner 0 says at the end of a round, beside Exchange::kCall.
constexpr u64 kCheckpoint = u64{1} << 9;
constexpr u64 kStop = 0xFF;

}  // namespace

void SearchOwners::plan(Search& search, u32 own_words, const Exchange::Taker& taker, Arena& arena) {
  search_ = &search;
  const std::span<Peers* const> owners = search.options.owners;
  if (owners.empty()) return;
  XMC_CHECK(owners.size() == 1);
  timed_ = TimedPeers(*owners[0], search.options.now_ns);
  peers_ = &timed_;
  exchange_ = ::new (arena.carve("owners", sizeof(Exchange), alignof(Exchange))) Exchange();
  exchange_->start(*peers_, search.model.state_words + own_words, taker);
  function_.set(search.model.state_words, peers_->count(), nullptr);
}

void SearchOwners::divide_by(const Word* mask) {
  const u32 words = search_->model.state_words;
  Word whole[limits::kStateWords + 1] = {};
  std::copy_n(mask, words, whole);
  exchange_->divide_by(whole);
  const bool all = std::all_of(mask, mask + words, [](Word word) { return word == ~Word{0}; });
  function_.set(words, peers_->count(), all ? nullptr : exchange_->mask());
}

Status SearchOwners::choose_fields(std::span<u8> memory) {
  Word mask[limits::kStateWords];
  std::copy_n(exchange_->mask(), search_->model.state_words, mask);
  if (talks()) OwnerChoice::choose(*search_, peers_->count(), memory, mask);
  XMC_TRY(hear_words(*peers_, 0, search_->model.state_words, mask));
  divide_by(mask);
  return {};
}

void SearchOwners::lines(Lines& io) {
  io.shown("owners", peers_->count());
  io.shown("owner", peers_->me());
}

void SearchOwners::field_lines(Lines& io, Fields& fields) {
  if (!talks()) return;
  const u32 words = search_->model.state_words;
  if (!io.reads()) std::copy_n(exchange_->mask(), words, fields.mask);
  io.words("owner-mask", {fields.mask, words});
}

Status SearchOwners::divide_as(Fields& fields) {
  XMC_TRY(hear_words(*peers_, 0, search_->model.state_words, fields.mask));
  divide_by(fields.mask);
  return {};
}

Status SearchOwners::ask(const Progress& progress) {
  search_->poll_countdown = Search::kPollInterval;
  if (talks()) {
    const StopReason reason = (*search_->control)(progress);
    if (order_stop_ == StopReason::none) order_stop_ = reason;
  }
  return look_at_stop();
}

u64 SearchOwners::orders() const {
  if (!has_order()) return 0;
  return static_cast<u64>(order_stop_) | (order_checkpoint_ ? kCheckpoint : 0) | Exchange::kCall;
}

void SearchOwners::take_orders(u64 orders) {
  ordered_stop_ = static_cast<StopReason>(orders & kStop);
  checkpoint_ordered_ = (orders & kCheckpoint) != 0;
}

Status SearchOwners::pass_orders() {
  const u64 mine[] = {orders()};
  u64 all[limits::kOwners];
  XMC_TRY(peers_->gather(mine, {all, peers_->count()}));
  take_orders(all[0]);
  return {};
}

Status SearchOwners::stop_all_or_none() {
  XMC_TRY(pass_orders());
  const StopReason stop = ordered_stop_;
  clear_orders();
  if (stop != StopReason::none) set_agreed();
  return Status::stop(stop);
}

void SearchOwners::clear_orders() {
  order_stop_ = ordered_stop_ = StopReason::none;
  order_checkpoint_ = checkpoint_ordered_ = false;
}

void SearchOwners::leave(const Status& status) {
  const StopReason reason = status.stop_reason();
  if (status.ok() || (agreed_ && reason != StopReason::none)) return;
  peers_->stop(reason == StopReason::none ? StopReason::peer : reason);
}

Status SearchOwners::total(SearchStats& stats) {
  const SearchStats& before = search_->times_before;
  exchange_->note_sent(before, stats);
  stats.waited_us = timed_.waited_ns() / 1000;
  if (before.waited_us != kNoFigure) stats.waited_us += before.waited_us;
  return total_figures(*peers_, stats);
}

Status SearchOwners::tell_share(u64 states) {
  const u64 before = search_->times_before.transitions;
  const u64 steps = search_->outcome->stats.transitions;
  OwnerShare mine;
  mine.states = states;
  if (steps != kNoFigure) mine.steps = steps - (before == kNoFigure ? 0 : before);
  mine.sent_states = exchange_->sent_states();
  mine.sent_bytes = exchange_->sent_bytes();
  mine.waited_us = timed_.waited_ns() / 1000;
  return xmc::tell_share(*peers_, mine, search_->options.shares);
}

Status SearchOwners::finish(const Status& status, u64 states) {
  SearchOutcome& outcome = *search_->outcome;
  Status end = status;
  if (!end.ok()) leave(end);
  if (end.ok()) end = look_at_stop();
  if (end.ok()) end = tell_share(states);
  if (end.ok()) end = total(outcome.stats);
  // Nobody has the figures of all then.
  const StopReason lost = end.take_stop();
  if (lost == StopReason::none) return end;
  outcome.stop = lost;
  outcome.complete = false;
  return {};
}

}  // namespace xmc
