// AcceptingCycles: whether a product has an accepting cycle, and one if it has, with sets.
//
//   X = all states; repeat X = what the accepting states of X lead to, in one step or more
//
// until X stays the same. There is an accepting cycle if and only if it is not empty then: every
// state of X has an accepting one behind it, and that one, too, and states are finitely many. All
// these sets are closed under steps, so that each round is a saturation without a bound, and uses
// what the cache has of the rounds before. But a round takes little away: what accepting states
// there are on a way that leads to no cycle go one by one.
//
// A cycle is then looked for backwards, by levels, from any accepting state of X. If it is not on
// one, an accepting state farther back is: the search goes on from there, among what it has seen.
#pragma once

#include "engine/symbolic/symbolic_search.h"

namespace xmc {

class AcceptingCycles {
 public:
  // All states are known. Sets stay alive in three of the search's places, from this one on.
  void begin(SymbolicSearch& sets, u32 first_kept);
  // Goes on, as far as the diagram is allowed to. True: it is known whether there is a cycle.
  bool decide();
  bool exist() const { return exist_; }
  // Goes on towards one. True: it is at the end of the row, a state in each place.
  bool find_one();
  u32 steps() const { return steps_; }
  // A word of the cycle as a set, from any place of it on.
  Node word(u32 i) const { return row()[row().size() - steps_ + i % steps_]; }
  u64 rounds() const { return rounds_; }
  // What a checkpoint has of it beside the sets: of a cycle that was looked for it has nothing.
  struct Place {
    bool begun = false;
    bool growing = false;
    bool exist = false;
    u64 rounds = 0;
    Node set = kEmptySet;  // that grows: to see that it did
    friend bool operator==(const Place&, const Place&) = default;
  };
  Place place() const { return {begun_, growing_, exist_, rounds_, kept(kGrowing)}; }
  void set_place(const Place& place);
  WideCount accepting() { return sets_->count(kept(kAcceptingOnes)); }

 private:
  enum Kept : u32 { kAcceptingOnes, kLeft, kGrowing };
  Node& kept(Kept k) const { return sets_->kept(first_kept_ + k); }
  std::span<Node> row() const { return sets_->row(); }
  bool choose_seed(Node among);
  bool look_back();
  bool walk();

  SymbolicSearch* sets_ = nullptr;
  u32 first_kept_ = 0;
  bool begun_ = false;
  bool growing_ = false;
  bool exist_ = false;
  u64 rounds_ = 0;
  // The row has levels backwards from a state, which is its first one.
  bool seeded_ = false;
  bool round_ = false;  // the state was met again
  u32 level_ = 0;
  u32 walked_ = 0;  // levels that were replaced by a state of the cycle
  u32 steps_ = 0;
};

}  // namespace xmc
