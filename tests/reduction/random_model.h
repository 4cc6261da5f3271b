// Small random DVE models, for reductions: processes with their own and shared variables, arrays
// with variable indices, rendezvous with and without values, buffered channels, committed
// locations, steps that can fail, assertions, and sometimes a property process.
#pragma once

#include <string>

#include "xmc/types.h"

namespace xmc_test {

using namespace xmc;

struct RandomModel {
  std::string text;
  std::string invariant;  // empty: none
  std::string reach;      // empty: none
  bool has_property = false;
};

RandomModel random_model(u64 seed);

}  // namespace xmc_test
