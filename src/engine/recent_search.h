// RecentSearch: breadth-first search with candidates in a table and all states in the queue file,
// in which candidates are looked for by scanning it. What `mono`, `local` and `disk` have in
// common; they differ in how much they scan and in what happens when the table is full.
#pragma once

#include "engine/level_search.h"
#include "store/recent_states.h"

namespace xmc {

class RecentSearch : public LevelSearch {
 protected:
  constexpr RecentSearch() = default;
  ~RecentSearch() = default;

  u64 least_region(const Model& model) const override;
  Status begin_store() override;
  Status restore_store(const Manifest& manifest) override;
  Status take(u32 count, StopReason& stop) override;
  Status settle(bool level_end, StopReason& stop) override;

  // Marks candidates that are in the file: by default all of it is scanned.
  virtual Status detect();
  // The table is full of candidates and known states. By default that is a reason to settle.
  virtual Status make_room(StopReason& stop);

  RecentStates recent_;

 private:
  Status enqueue_candidates(StopReason& stop);
};

}  // namespace xmc
