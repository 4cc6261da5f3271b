// LevelOwners: what a level search shares with the other owners of its states, where these are
// divided among several (xmc/peers.h). Each of them is a level search with a queue and a set of its
// own; they exchange successors, and meet at the ends of levels.
//
// Owner 0 talks to the outside, for all. What it is told, a stop or that a checkpoint is due, it
// passes on when a round of the exchange ends, and ends that early to do so: the others then end it
// as well. So all of them stop, or leave a checkpoint, at the same point of the search. A failure
// of one of them, or a memory that is full, ends the search of all at once, without a checkpoint.
#pragma once

#include "engine/search/agreement.h"
#include "engine/search/exchange.h"
#include "engine/search/product_owners.h"
#include "engine/search/timed_peers.h"
#include "xmc/engine.h"
#include "xmc/peers.h"
#include "xmc/status.h"

namespace xmc {

class Frontier;
class Manifest;

class LevelOwners final : public ProductOwners {
 public:
  // There are others if the options say so.
  void plan(Frontier& frontier, const Exchange::Taker& taker, Arena& arena);
  static u64 bytes_for(const SearchOptions& options) {
    return options.owners.empty() ? 0 : sizeof(Exchange) + alignof(Exchange);
  }
  bool on() const { return peers_ != nullptr; }
  Peers& peers() override { return *peers_; }
  bool talks() const { return peers_->me() == 0; }
  bool is_mine(const Word* state) const { return exchange_->is_mine(state); }

  u32 owner_of(const Word* state) const override { return exchange_->owner_of(state); }

  // By which fields states are divided: owner 0 finds out, in memory that is free, for all.
  Status choose_fields(std::span<u8> memory);
  // Lines of a checkpoint, most of them at owner 0: a manifest has room for few words of each.
  Status save(Manifest& manifest);
  Status restore(const Manifest& manifest);
  // What one of them knows of a violation, to all.
  Status tell_violation();

  // Successors that were just made: those of others are sent, what has come for this one is taken.
  Result<u32> share_out(Word* states, u32 count) { return exchange_->share_out(states, count); }
  Status take_what_came() { return exchange_->take_what_came(); }

  // Of the level that is expanded, the smallest state that violates anything, as far as this owner
  // knows.
  Candidate culprit;

  // Asks the outside, or looks whether another owner has ended the search.
  Status poll(bool level_done);
  // The level was just ended.
  void ask_for_checkpoint(bool level_end);
  // Whether it is time to end the round before the level is through.
  bool wants_round() const { return on() && (has_order() || exchange_->called()); }
  // All successors so far are with their owners. `through`: nobody has any state of this level left
  // to expand, if `mine` is true for everybody. Orders are those of owner 0.
  Status end_round(bool mine, bool& through);
  // The same where there are no rounds.
  Status pass_orders();
  // Behind the levels: checkpoints are left to those who stop.
  Status poll_work() override { return poll(false); }
  void order_stop(StopReason reason) override { order_stop_ = reason; }
  Status stop_together() override;
  StopReason ordered_stop() const { return ordered_stop_; }
  bool checkpoint_ordered() const { return checkpoint_ordered_; }
  // Everybody has done what was ordered.
  void clear_orders();

  // Sums over all owners; `level`: states of the level that is next, of this owner.
  Status meet(u64 level);
  // The level that was met for is expanded now.
  void begin_level() { level_states_ = all().level; }
  const OwnerSums::Figures& all() const { return sums_.all(); }
  // After a level: whether anybody has found a violation in it, which is then the same for all.
  Status agree_on_violation();

  // Everybody is at the same point, and told to end there.
  void set_agreed() { agreed_ = true; }
  // Ends the search of all, unless they have agreed to do so.
  void leave(const Status& status);
  // A search was ended from outside, without agreement.
  bool broken() { return peers_->stopped() != StopReason::none; }

  // The figures of all owners, at owner 0; those of the others are zeros then. Everybody calls it.
  Status total(SearchStats& stats);
  // And what each of them has done, at the end and before total().
  Status tell_share();

 private:
  bool has_order() const { return order_stop_ != StopReason::none || order_checkpoint_; }
  u64 orders() const;
  void take_orders(u64 orders);
  OwnerSums::Figures figures(u64 level) const;

  Frontier* frontier_ = nullptr;
  TimedPeers timed_;
  Peers* peers_ = nullptr;
  Exchange* exchange_ = nullptr;  // in the arena, if there are others
  OwnerSums sums_;
  // What owner 0 has to pass on, and what it has passed on.
  StopReason order_stop_ = StopReason::none;
  bool order_checkpoint_ = false;
  StopReason ordered_stop_ = StopReason::none;
  bool checkpoint_ordered_ = false;
  bool agreed_ = false;
  u64 level_states_ = 0;
};

}  // namespace xmc
