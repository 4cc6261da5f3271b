#include "engine/part/part_owners.h"

#include "store/checkpoint/manifest.h"
#include "store/keys/key_compare.h"

namespace xmc {

void PartOwners::plan(Search& search, const PartLogs& logs, const Exchange::Taker& taker,
                      Arena& arena) {
  *this = PartOwners();
  logs_ = &logs;
  SearchOwners::plan(search, 1, taker, arena);
}

Status PartOwners::send(u32 owner, const Word* state, u64 origin) {
  const u32 words = search_->model.state_words;
  Word key[limits::kKeyWords];
  copy_key(key, state, words);
  key[words] = origin;
  return exchange_->send(owner, key);
}

OwnerSums::Figures PartOwners::figures(u64 waiting) const {
  const SearchStats& stats = search_->outcome->stats;
  OwnerSums::Figures mine;
  mine.level = waiting;
  mine.states = logs_->journal.keys();
  mine.transitions = stats.transitions;
  mine.expansions = stats.expansions;
  mine.found = found() ? 1 : 0;
  return mine;
}

Status PartOwners::poll(u64 activations) {
  Progress progress = sums_.progress(figures(0));
  progress.level = activations;
  progress.level_states = progress.states;
  progress.ram_used = peers_->count() * search_->outcome->stats.ram_used;
  progress.work = search_->work;
  return ask(progress);
}

void PartOwners::ask_for_checkpoint(bool between) {
  Checkpointer* const checkpoints = search_->options.checkpoints;
  if (!talks() || checkpoints == nullptr) return;
  order_checkpoint_ = order_checkpoint_ || checkpoints->due(between);
}

void PartOwners::note_violation(Violation violation, const Expansion& expansion, u64 number) {
  if (found()) return;
  violation_ = violation;
  predicate_ = expansion.violated;
  error_label_ = expansion.error_label;
  number_ = number;
}

bool PartOwners::wants_round() {
  if (has_order() || exchange_->called() || (found() && !search_->options.full)) return true;
  if (exchange_->ended() == 0) return false;
  return ++asked_ > kPatience;
}

Status PartOwners::end_round() {
  const bool ends = found() && !search_->options.full;
  XMC_TRY(exchange_->end_round(orders() | (ends ? Exchange::kCall : 0)));
  take_orders(exchange_->notes()[0]);
  asked_ = 0;
  return {};
}

Status PartOwners::meet(u64 waiting, u64& culprit) {
  const OwnerSums::Figures before = all();
  XMC_TRY(sums_.add_up(*peers_, figures(waiting)));
  idle_ = all().level == before.level && all().expansions == before.expansions;
  through_ = all().level == 0;
  return all().found == 0 ? Status() : agree_on_violation(culprit);
}

// The one that was found soonest by its owner: its path is likely to be short.
Status PartOwners::agree_on_violation(u64& culprit) {
  constexpr u32 kFacts = 4;
  SearchOutcome& outcome = *search_->outcome;
  const u64 mine[kFacts] = {static_cast<u64>(violation_), predicate_, error_label_, number_};
  u64 all[kFacts * limits::kOwners];
  XMC_TRY(peers_->gather(mine, {all, std::size_t{kFacts} * peers_->count()}));
  const u64* best = nullptr;
  for (u32 owner = 0; owner < peers_->count(); ++owner) {
    const u64* const each = all + std::size_t{owner} * kFacts;
    const bool is_one = static_cast<Violation>(each[0]) != Violation::none;
    if (is_one && (best == nullptr || PartLogs::index_of(each[3]) < PartLogs::index_of(best[3])))
      best = each;
  }
  violation_ = Violation::none;
  if (best == nullptr || outcome.violation != Violation::none) return {};
  Expansion shown;
  shown.violated = static_cast<u32>(best[1]);
  shown.error_label = static_cast<u32>(best[2]);
  search_->record(static_cast<Violation>(best[0]), shown, 0);
  culprit = best[3];
  return {};
}

Status PartOwners::gather(SearchStats& figures) {
  figures.states = logs_->journal.keys();
  return total(figures);
}

Status PartOwners::finish(const Status& status) {
  return SearchOwners::finish(status, status.ok() ? logs_->journal.keys() : 0);
}

}  // namespace xmc
