// What a lasso has to be, whoever found it.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "graph_models.h"
#include "xmc/engine.h"

namespace xmc_test {

inline void check_lasso(const Graph& g, Engine& engine, const SearchOutcome& outcome) {
  REQUIRE(outcome.violation == Violation::accepting_cycle);
  const std::vector<u32> path = engine_path(engine, g, outcome);
  REQUIRE(outcome.cycle_steps >= 1);
  REQUIRE(valid_path(g, path));
  REQUIRE(path.back() == path[outcome.prefix_steps]);
  const auto prefix = static_cast<std::ptrdiff_t>(outcome.prefix_steps);
  REQUIRE(
      std::any_of(path.begin() + prefix, path.end(), [&](u32 v) { return g.accepting[v] != 0; }));
}

}  // namespace xmc_test
