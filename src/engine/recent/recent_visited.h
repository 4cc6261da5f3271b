// RecentVisited: candidates in a table and all states in the queue file, in which candidates are
// looked for by scanning it. What `mono`, `local` and `disk` have in common; they differ in how
// much they scan and in what happens when the table is full.
//
// With --signature the table holds signatures, and the candidates wait in a file, whole. Signatures
// of what is scanned are computed anew, since the queue has the states anyway.
#pragma once

#include "engine/levels/level_search.h"
#include "store/tiered/recent_states.h"

namespace xmc {

class RecentVisited : public VisitedSet {
 public:
  u64 own_bytes(const Model& model, const SearchOptions& options) const override;
  u64 least_region(const Model& model, const SearchOptions& options) const override;
  void plan(Arena& arena) override;
  Status begin() override;
  Status restore(Lines& io) override;
  Status take(u32 count) override;
  Status settle(bool level_end) override;
  // begin(), with the newest states of the queue in the table.
  Status begin_from_queue();

 protected:
  constexpr RecentVisited() = default;
  ~RecentVisited() = default;

  // Whether candidates go to a file: because the table has signatures only, or overflows.
  virtual bool keeps_unchecked(const SearchOptions& options) const;
  // Marks candidates that are in the file: by default all of it is scanned.
  virtual Status detect();
  // The table is full, mostly of candidates. By default that is a reason to settle.
  virtual Status make_room();
  // Enqueues the candidates of the table that are new.
  Status settle_table();
  bool with_signatures() const { return frontier_->signature.on(); }

  StateTable table_;
  RecentStates recent_;
  KeyFile unchecked_;
  std::span<u8> unchecked_buffer_;
};

}  // namespace xmc
