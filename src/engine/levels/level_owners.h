// LevelOwners: what a level search shares with the other owners of its states, where these are
// divided among several (search_owners.h). Each of them has a queue and a set of its own; they meet
// at the ends of levels.
#pragma once

#include "engine/owners/search_owners.h"
#include "engine/search/product_owners.h"

namespace xmc {

class Frontier;

class LevelOwners final : public SearchOwners, public ProductOwners {
 public:
  // There are others if the options say so.
  void plan(Frontier& frontier, const Exchange::Taker& taker, Arena& arena);
  Peers& peers() override { return *peers_; }
  u32 owner_of(const Word* state) const override { return home_of(state); }

  // Lines of a checkpoint, most of them at owner 0: a manifest has room for few words of each.
  // Before they are written everybody gathers what owner 0 knows then; behind reading, it tells.
  struct Said {
    u64 next_of_all = 0;
    u64 level_end_of_all = 0;
    Fields fields;
  };
  Status gather(Said& said);
  void lines(Lines& io, Said& said);
  Status tell(Said& said);
  // What one of them knows of a violation, to all.
  Status tell_violation();

  // Successors that were just made: those of others are sent, what has come for this one is taken.
  Result<u32> share_out(Word* states, u32 count) { return exchange_->share_out(states, count); }

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
  // Behind the levels: checkpoints are left to those who stop.
  Status poll_work() override { return poll(false); }
  void order_stop(StopReason reason) override { order_stop_ = reason; }
  Status stop_together() override { return stop_all_or_none(); }

  // Sums over all owners; `level`: states of the level that is next, of this owner.
  Status meet(u64 level);
  // The level that was met for is expanded now.
  void begin_level() { level_states_ = all().level; }
  // After a level: whether anybody has found a violation in it, which is then the same for all.
  Status agree_on_violation();
  Status finish(const Status& status);

 private:
  OwnerSums::Figures figures(u64 level) const;

  Frontier* frontier_ = nullptr;
  u64 level_states_ = 0;
};

}  // namespace xmc
