// The moves of a slot: a jump by its place, then the options of the place in their order.
#pragma once

#include "lower/promela/move/step.h"

namespace xmc::promela_lower {

// To `no` unless the process of a slot may move at all.
void jump_unless_provided(Writer& w, const Scope& scope, u32 q, Label& no);
// Once one of an escape was executable, only those of the same escape are: `last` is that of the
// last one.
void leave_escape(Writer& w, u32 last, u32 escape, Label& end);
// Of the process that is there; how many successors they make at most.
u32 lower_options(Writer& w, const Step& step, u32 q, Label& end);

// The rules of all slots. Highest pid first: that of slot q is count - 1 - q.
void lower_moves(Writer& w, Pool<ir::Rule, 5, 64>& rules, Pool<ir::Parameter, 5, 64>& parameters);
// From the state in which all is 0.
ir::Rule lower_start(Writer& w);

}  // namespace xmc::promela_lower
