// The `symbolic` engine: sets of states stepped as sets, in memory, without a file.
//
// The closure of the initial states under all steps is computed by saturation. A violation that the
// set has is then searched for level by level, with the levels kept as diagrams, so that a shortest
// path to it can be taken backwards: that costs a multiple of the closure, and is done only when it
// is known that there is one.
//
// Where the memory ends, the search is not decided (StopReason::ram).
#pragma once

#include "engine/search/search.h"
#include "engine/symbolic/symbolic_search.h"
#include "xmc/engine.h"

namespace xmc {

class SymbolicEngine final : public Engine {
 public:
  static constexpr EngineTraits kTraits = {
      .name = "symbolic",
      .summary = "sets of states as diagrams, stepped as a whole; in memory, for regular models",
      .keeps_files = false,
      .uses_threads = false};
  const EngineTraits& traits() const override { return kTraits; }
  u64 minimum_bytes(const Model& model, const SearchOptions& options) const override;
  Status plan(const Model& model, const SearchOptions& options, Arena& arena) override;
  Status run(const RunControl& control, SearchOutcome& outcome) override;
  void path_state(u64 i, Word* out) override;

 private:
  Status search_states();
  Status judge_states();
  Status find_path();
  Status path_back(u32 level);
  Status go_on();
  Status stop_status();
  bool allow();

  Search search_;
  SymbolicSearch symbolic_;
};

}  // namespace xmc
