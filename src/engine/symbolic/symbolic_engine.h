// The `symbolic` engine: sets of states stepped as sets, in memory. Its only files are those of
// checkpoints; without a folder it leaves none.
//
// Where the memory ends, the search is not decided (StopReason::ram). The last checkpoint stays as
// it is then, for a run with more memory.
#pragma once

#include "engine/search/file_names.h"
#include "engine/search/search.h"
#include "engine/symbolic/set_checkpoint.h"
#include "engine/symbolic/symbolic_run.h"
#include "xmc/engine.h"

namespace xmc {

class SymbolicEngine final : public Engine {
 public:
  static constexpr EngineFile kFiles[] = {{kSetsFile, true}};
  static constexpr EngineTraits kTraits = {
      .name = SymbolicSearch::kName,
      .summary = "sets of states as diagrams, stepped as a whole; in memory, for regular models",
      .only_checkpoints = true,
      .uses_threads = false,
      .steps_sets = true,
      .flash = {0, 0, "the sets of checkpoints"},
      .files = kFiles};
  const EngineTraits& traits() const override { return kTraits; }
  u64 minimum_bytes(const Model& model, const SearchOptions& options) const override;
  Status plan(const Model& model, const SearchOptions& options, Arena& arena) override;
  Status run(const RunControl& control, SearchOutcome& outcome) override;
  std::string_view remark() const override { return remark_.view(); }
  void path_state(u64 i, Word* out) override;

 private:
  Status run_to_end();
  Status begin();
  Status search();
  Status checkpoint();

  Search search_;
  SymbolicRun run_;
  SetCheckpoint file_;
  std::span<u8> memory_;
  std::span<u8> buffer_;  // of the file
  FixedText<240> remark_;
};

}  // namespace xmc
