// Whether a process can move: the moves of its slot once more, as a routine that ends where the
// first of them begins a successor. For enabled(), priorities, and `timeout` in a claim.
#pragma once

#include "lower/promela/move/step.h"

namespace xmc::promela_lower {

// To `no` if a process of a higher priority can move.
void yield_to_higher(Writer& w, u32 q, u32 timeout, Label& no);
// The routines that are asked for, until none of them asks for another one.
void lower_tests(Writer& w, std::span<ir::Routine> routines);

}  // namespace xmc::promela_lower
