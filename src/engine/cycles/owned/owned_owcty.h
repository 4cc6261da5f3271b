// OwnedOwcty: what accepting cycles lead to, in a product whose states are divided among owners, as
// with one owner (edges/owcty.h). Each owner has the bits of its states and passes over its own
// edges; marks for states of others are sent to them.
//
//   trim: a pass goes through the levels in stages, which all owners begin together. A state whose
//   turn comes is dropped without a mark; with one it loses it, and marks its targets. A mark that
//   is sent from one owner to another counts in this pass if its target is in a later stage, else
//   in the next pass, whenever it comes; so between two turns of a state each of its predecessors
//   has had exactly one, and what is dropped does not depend on timing.
//   reach: the first pass goes through the same stages, so that all edges to later ones are settled
//   by it; then marks are carried on, by each owner as long as it has any, until nobody has. What
//   is reached in the end does not depend on timing either.
//
// Memory: four bits for each state of the owner, two of them for the search of a cycle behind it
// (owned_lasso.h), and the first position of each level.
#pragma once

#include "engine/cycles/edges/edge_pass.h"
#include "engine/cycles/owned/owned_numbers.h"
#include "engine/cycles/owned/owner_mail.h"

namespace xmc {

class OwnedOwcty {
 public:
  // Of the bits and the levels.
  static u64 bytes_for(u64 states, u64 levels) {
    return 4 * StateBits::bytes_for(states) + (levels + 1) * sizeof(u64);
  }

  // `reader` has this owner's edges; the memory, aligned to 8 bytes, has bytes_for() of them, where
  // the product has so many levels. Everybody calls it, as all of these.
  Status start(const Product& product, const OwnedNumbers& numbers, EdgeReader& reader, u64 levels,
               std::span<u8> memory);
  // Of the states that are live: drops those that no accepting cycle of them leads to.
  Status find();
  u64 left() const { return left_; }  // live states of all owners
  // Anew, where others have changed live().
  Status count();
  u64 passes() const { return passes_; }

  // --- For the search of a cycle in what is left ------------------------------------------------

  StateBits& live() { return live_; }
  StateBits& visited() { return mark_; }
  // States of the next layer; of this one.
  StateBits& next() { return next_; }
  StateBits& now() { return other_; }
  u64 levels() const { return levels_; }
  u64 level_begin(u64 level) const { return begin_[static_cast<std::size_t>(level)]; }
  // One step from all states of now(), over live ones: those that were not visited are now, and are
  // in next(). `found`: there is a step to this state of somebody.
  static constexpr u64 kNoState = ~u64{0};
  Status step_on(u64 goal, bool& found);

 private:
  enum class Phase : u8 { trim, reach, steps };

  static constexpr u64 kStages = 512;
  static constexpr u32 kRecent = 1024;

  Status find_levels();
  Status trim(bool& dropped);
  Status trim_pass(bool& dropped);
  Status trim_stage(u64 begin, u64 end);
  Status range_of_stages(u64& first, u64& last);
  u64 stage_begin(u64 stage) const {
    return level_begin(std::min(levels_, stage * levels_per_stage_));
  }
  Status reach(bool& dropped);
  Status reach_stages();
  Status reach_on(u64 begin, u64 end, bool first);
  void drop(u64 begin, u64 end);
  void mark(u64 position);
  Status send_mark(u64 name, u64 from);
  Status take(const Word* items, u32 count);
  void begin_phase(Phase phase);

  const Product* product_ = nullptr;
  OwnedNumbers numbers_;
  EdgeReader* reader_ = nullptr;
  WorkPoll poll_;
  OwnerMail mail_;
  PassFigures figures_;

  StateBits live_;
  StateBits mark_;
  StateBits next_;
  StateBits other_;
  std::span<u64> begin_;  // of levels
  u64 levels_ = 0;
  u64 levels_per_stage_ = 1;
  Phase phase_ = Phase::trim;
  u64 stage_end_ = 0;
  u64 goal_ = kNoState;
  bool found_ = false;
  bool dropped_ = false;
  u64 left_ = 0;
  u64 passes_ = 0;
  // Names that were sent in this round: once is enough.
  u64 recent_[kRecent] = {};
};

}  // namespace xmc
