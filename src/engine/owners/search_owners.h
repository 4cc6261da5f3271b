// SearchOwners: what a search shares with the other owners of its states, where these are divided
// among several (xmc/peers.h). Each of them is a search of the same kind with files and a memory of
// its own; they exchange successors in rounds.
//
// Owner 0 talks to the outside, for all. What it is told, a stop or that a checkpoint is due, it
// passes on when a round of the exchange ends, and ends that early to do so: the others then end it
// as well. So all of them stop, or leave a checkpoint, at the same point of the search. A failure
// of one of them, or a memory that is full, ends the search of all at once, without a checkpoint.
#pragma once

#include "engine/search/agreement.h"
#include "engine/search/exchange.h"
#include "engine/search/search.h"
#include "engine/search/timed_peers.h"
#include "xmc/engine.h"
#include "xmc/peers.h"
#include "xmc/status.h"

namespace xmc {

class Lines;

class SearchOwners {
 public:
  // There are others if the options say so. States travel with as many words of their own.
  void plan(Search& search, u32 own_words, const Exchange::Taker& taker, Arena& arena);
  static u64 bytes_for(const SearchOptions& options) {
    return options.owners.empty() ? 0 : sizeof(Exchange) + alignof(Exchange);
  }
  bool on() const { return peers_ != nullptr; }
  bool talks() const { return peers_->me() == 0; }
  u32 home_of(const Word* state) const { return function_(state); }
  bool is_mine(const Word* state) const { return home_of(state) == peers_->me(); }

  // By which fields states are divided: owner 0 finds out, in memory that is free, for all.
  Status choose_fields(std::span<u8> memory);
  // The same as it was.
  struct Fields {
    Word mask[limits::kStateWords] = {};
  };
  // The lines of an owner, and of owner 0, who knows the fields.
  void lines(Lines& io);
  void field_lines(Lines& io, Fields& fields);
  Status divide_as(Fields& fields);

  Status take_what_came() { return exchange_->take_what_came(); }

  // What owner 0 was told to have done by all.
  bool has_order() const { return has_stop() || order_checkpoint_; }
  bool has_stop() const { return order_stop_ != StopReason::none; }
  StopReason ordered_stop() const { return ordered_stop_; }
  bool checkpoint_ordered() const { return checkpoint_ordered_; }
  // Everybody has done what was ordered.
  void clear_orders();
  // Everybody calls it at once: what owner 0 has been told is what is ordered, and no round ends;
  // or it is a stop for all, or none.
  Status pass_orders();
  Status stop_all_or_none();

  // Everybody is at the same point, and told to end there.
  void set_agreed() { agreed_ = true; }
  // Ends the search of all, unless they have agreed to do so.
  void leave(const Status& status);
  // A search was ended from outside, without agreement.
  bool broken() { return peers_->stopped() != StopReason::none; }
  Status look_at_stop() { return Status::stop(peers_->stopped()); }

  const OwnerSums::Figures& all() const { return sums_.all(); }

  // The figures of all owners, at owner 0; those of the others are zeros then. Everybody calls it.
  Status total(SearchStats& stats);

 protected:
  // How the search of all ended, of an owner with as many states: their figures are at owner 0. It
  // is a search that was stopped where somebody is lost behind it.
  Status finish(const Status& status, u64 states);
  // What this owner says at the end of a round: orders are those of owner 0.
  u64 orders() const;
  void take_orders(u64 orders);
  // Owner 0 asks the outside; the others look_at_stop().
  Status ask(const Progress& progress);
  void divide_by(const Word* mask);

  Search* search_ = nullptr;
  TimedPeers timed_;
  Peers* peers_ = nullptr;
  Exchange* exchange_ = nullptr;  // in the arena, if there are others
  OwnerSums sums_;
  // What owner 0 has to pass on, and what it has passed on.
  StopReason order_stop_ = StopReason::none;
  bool order_checkpoint_ = false;

 private:
  // What each of them has done.
  Status tell_share(u64 states);

  StopReason ordered_stop_ = StopReason::none;
  bool checkpoint_ordered_ = false;
  bool agreed_ = false;
  OwnerFunction function_;
};

}  // namespace xmc
