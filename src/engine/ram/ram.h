// The `ram` engine: everything in the arena, exact, no files. Breadth-first for safety; for a Büchi
// product nested depth-first on the fly, or breadth-first and then nested when everything is to be
// explored.
//
// Memory: a successor buffer for the model's static bound, and one StateTable over all that the
// arena has left. So whatever else the run needs has to be carved before plan() is called.
#pragma once

#include "engine/ram/ram_search.h"
#include "xmc/engine.h"

namespace xmc {

class RamEngine final : public Engine {
 public:
  constexpr RamEngine() = default;

  static constexpr EngineTraits kTraits = {
      .name = "ram",
      .summary = "all states in memory; nested depth-first for Büchi products",
      .keeps_files = false,
      .checks_liveness = true};
  const EngineTraits& traits() const override { return kTraits; }
  // Code::budget when the arena has too little; the message names the bytes that are missing.
  u64 minimum_bytes(const Model& model, const SearchOptions& options) const override;
  Status plan(const Model& model, const SearchOptions& options, Arena& arena) override;
  Status run(const RunControl& control, SearchOutcome& outcome) override;
  void path_state(u64 i, Word* out) override;

 private:
  Search search_;
  RamSearch ram_;
  u64 path_states_ = 0;
};

}  // namespace xmc
