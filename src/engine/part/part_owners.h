// PartOwners: what `part` shares with the other owners of its states, where these are divided among
// several (search_owners.h). Each of them has partitions, a table and files of its own.
//
// There are no levels: a round of the exchange ends when somebody has nothing left to do, and those
// who have go on for a short while only. So nobody waits long for states that others have found.
// The search is through when a round has ended and nobody has anything left.
#pragma once

#include "engine/owners/search_owners.h"
#include "engine/part/part_logs.h"

namespace xmc {

class PartOwners final : public SearchOwners {
 public:
  // There are others if the options say so.
  void plan(Search& search, const PartLogs& logs, const Exchange::Taker& taker, Arena& arena);
  u32 me() const { return on() ? peers_->me() : 0; }
  u32 count() const { return on() ? peers_->count() : 1; }
  Peers& peers() { return *peers_; }
  // The bits that decide about the owner.
  const Word* mask() const { return exchange_->mask(); }

  // A successor and its origin, to another owner.
  Status send(u32 owner, const Word* state, u64 origin);

  // Asks the outside, or looks whether another owner has ended the search.
  Status poll(u64 activations);
  // Partitions have just left the memory; false: they are in it.
  void ask_for_checkpoint(bool between);
  // This owner has found a violation in the state with this number.
  void note_violation(Violation violation, const Expansion& expansion, u64 number);

  // Whether it is time to end the round: asked behind every few hundred states.
  bool wants_round();
  // Everything that was found is with its owner afterwards.
  Status end_round();
  // Behind that: what owners have left, of which `waiting` is mine. A violation that anybody has
  // found is recorded by all, with the number of its state.
  Status meet(u64 waiting, u64& culprit);
  Status agree_on_violation(u64& culprit);
  // What the last round has come to: nobody has anything left; or there are orders, for which the
  // partitions in memory have to leave it.
  bool through() const { return through_; }
  // Nobody has done anything in it: everybody waits for others.
  bool idle() const { return idle_; }
  bool ordered() const { return ordered_stop() != StopReason::none || checkpoint_ordered(); }
  bool pausing() const { return on() && (through_ || ordered()); }

  // Everybody calls it, at the same point.
  Status gather(SearchStats& figures);
  Status finish(const Status& status);

 private:
  // Questions that one who is waited for may still ask.
  static constexpr u32 kPatience = 16;

  OwnerSums::Figures figures(u64 waiting) const;
  bool found() const { return violation_ != Violation::none; }

  const PartLogs* logs_ = nullptr;
  Violation violation_ = Violation::none;  // that the others have not heard of
  u32 predicate_ = kNone;
  u32 error_label_ = kNone;
  u64 number_ = 0;
  u32 asked_ = 0;  // since somebody waits
  bool through_ = false;
  bool idle_ = false;
};

}  // namespace xmc
