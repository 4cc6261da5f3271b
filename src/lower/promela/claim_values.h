// A claim changes nothing: its variables are what they are set to in the beginning, when the
// globals have their initial values.
#pragma once

#include <span>

#include "front/promela/system.h"
#include "xmc/arena.h"

namespace xmc::promela_lower {

struct ClaimValues {
  std::span<i32> values;  // by leaf of its frame
  promela::Span culprit;  // of an initial value that is not known before the model runs
  bool is_known = true;
};

// In the arena's scratch.
ClaimValues claim_values(const promela::System& system, u32 claim, Arena& arena);

}  // namespace xmc::promela_lower
