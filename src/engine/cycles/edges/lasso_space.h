// LassoSpace: the part of a product in which a shortest lasso is looked for, in memory
// (ram_lasso.h) or in a file (file_lasso.h). Its states are numbered from 0 in the order of the
// product, so that levels are ranges of numbers.
//
// A lasso is a shortest path to the state of its cycle that has the least level, the seed, and the
// cycle, which needs an accepting state somewhere and stays at the seed's level or below. Seeds are
// the targets of steps that do not lead down: every cycle has one.
#pragma once

#include <algorithm>
#include <span>

#include "engine/search/work_poll.h"
#include "store/tables/state_bits.h"
#include "xmc/status.h"
#include "xmc/types.h"

namespace xmc {

class LassoSpace {
 public:
  static constexpr u64 kNoLimit = ~u64{0} >> 1;

  virtual u64 states() const = 0;
  // The first state that is not above this level; states() if there is none.
  virtual Status level_begin(u64 level, u64& state) = 0;
  virtual Status level_of(u64 state, u64& level) = 0;
  // From now on only states up to this level count, and of them those that may be on an accepting
  // cycle among them; `any`: there is one. Finds the seeds.
  virtual Status narrow(u64 level, bool& any) = 0;
  // Drops seeds of which it is easy to see that they are on no lasso of this total length or less.
  virtual void drop_far_seeds(u64) {}
  // The next seed, `end` if there is none before it.
  u64 next_seed(u64 from, u64 end) const { return seeds_.next(from, std::min(end, narrow_end_)); }
  u64 narrow_end() const { return narrow_end_; }

  // The fewest steps, at least one and `most` at most, that lead from one of the seeds in [begin,
  // end) to one of them past an accepting state, never to a state before `floor`; 0 if none do.
  // With a single seed that is its shortest cycle.
  virtual Status first_return(u64 begin, u64 end, u64 floor, u64 most, u64& steps) = 0;
  // That cycle, which has as many steps as `cycle` has room for: the states from the seed on.
  virtual Status trace(u64 seed, u64 floor, std::span<u64> cycle) = 0;
  // Memory that is not needed.
  virtual std::span<u8> rest() const = 0;

 protected:
  ~LassoSpace() = default;

  StateBits seeds_;
  u64 narrow_end_ = 0;
};

}  // namespace xmc
