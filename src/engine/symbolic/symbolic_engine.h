// The `symbolic` engine: sets of states stepped as sets, in memory, without a file.
//
// Where the memory ends, the search is not decided (StopReason::ram).
#pragma once

#include "engine/search/search.h"
#include "engine/symbolic/symbolic_run.h"
#include "xmc/engine.h"

namespace xmc {

class SymbolicEngine final : public Engine {
 public:
  static constexpr EngineTraits kTraits = {
      .name = SymbolicSearch::kName,
      .summary = "sets of states as diagrams, stepped as a whole; in memory, for regular models",
      .keeps_files = false,
      .uses_threads = false,
      .steps_sets = true};
  const EngineTraits& traits() const override { return kTraits; }
  u64 minimum_bytes(const Model& model, const SearchOptions& options) const override;
  Status plan(const Model& model, const SearchOptions& options, Arena& arena) override;
  Status run(const RunControl& control, SearchOutcome& outcome) override;
  std::string_view remark() const override { return remark_.view(); }
  void path_state(u64 i, Word* out) override;

 private:
  Search search_;
  SymbolicRun run_;
  std::span<u8> memory_;
  FixedText<240> remark_;
};

}  // namespace xmc
