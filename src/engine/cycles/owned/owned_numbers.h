// OwnedNumbers: what the states of a divided product are called. A state is known by its owner and
// its position in that owner's queue. In the edge file of an owner it is one number: the owner's
// own states come first, by position, so that neighbours stay near; behind them those of the next
// owner, and so on around.
#pragma once

#include "engine/search/agreement.h"
#include "xmc/check.h"
#include "xmc/limits.h"
#include "xmc/peers.h"

namespace xmc {

class OwnedNumbers {
 public:
  // Everybody calls it, with the number of his states.
  Status start(Peers& peers, u64 states) {
    const u64 mine[] = {states};
    owners_ = peers.count();
    me_ = peers.me();
    XMC_TRY(peers.gather(mine, {states_, owners_}));
    for (u32 reader = 0; reader < owners_; ++reader) {
      begin_[reader] = 0;
      for (u32 o = reader; o != me_; o = next(o)) begin_[reader] += states_[o];
    }
    return {};
  }

  u32 me() const { return me_; }
  u32 owners() const { return owners_; }
  u64 states(u32 owner) const { return states_[owner]; }
  u64 mine() const { return states_[me_]; }
  // What `reader` calls this owner's state at a position.
  u64 name_for(u32 reader, u64 position) const { return begin_[reader] + position; }
  // What this owner calls a state of `owner`.
  u64 name_of(u32 owner, u64 position) const {
    for (u32 o = me_; o != owner; o = next(o)) position += states_[o];
    return position;
  }
  // Whose state that is; `name` becomes its position there.
  u32 owner_of(u64& name) const {
    u32 owner = me_;
    for (; name >= states_[owner]; owner = next(owner)) name -= states_[owner];
    return owner;
  }

 private:
  u32 next(u32 owner) const { return owner + 1 == owners_ ? 0 : owner + 1; }

  u32 owners_ = 1;
  u32 me_ = 0;
  u64 states_[limits::kOwners] = {};
  u64 begin_[limits::kOwners] = {};  // of this owner's states, in the names of each
};

}  // namespace xmc
