// The end of a process and of its channels.
#pragma once

#include "lower/promela/move/step.h"

namespace xmc::promela_lower {

// Only the youngest process dies.
void die(Writer& w, Step& step, Label& blocked);

}  // namespace xmc::promela_lower
