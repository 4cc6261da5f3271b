// The `ram` engine: everything in the arena, exact, no files. Breadth-first for safety; for a Büchi
// product nested depth-first on the fly, or breadth-first and then nested when everything is to be
// explored.
//
// Memory: a successor buffer for the model's static bound, and one StateTable over all that the
// arena has left. So whatever else the run needs has to be carved before plan() is called. A safety
// search may be divided among owners (owned_bfs.h): then each has a buffer and a table.
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
  bool divides(const Model& model, const SearchOptions& options) const override;
  Status plan(const Model& model, const SearchOptions& options, Arena& arena) override;
  Status run(const RunControl& control, SearchOutcome& outcome) override;
  void path_state(u64 i, Word* out) override;

 private:
  // One of those who share a search.
  struct Owner {
    Search search;
    RamSearch ram;
    SearchOutcome outcome;
  };

  void plan_one(Search& search, RamSearch& ram, u64 table_bytes, Arena& arena);
  void plan_owners(Arena& arena);
  void run_owners(SearchOutcome& outcome);

  Search search_;
  RamSearch ram_;
  std::span<Owner> others_;  // beside this one
  u64 path_states_ = 0;
};

}  // namespace xmc
