// Statements. What cannot be executed goes to `blocked`; behind the others the step has begun.
#pragma once

#include "lower/promela/move/step.h"

namespace xmc::promela_lower {

// The place of the process is not changed.
void basic(Writer& w, Step& step, const Action& a, Label& blocked);

}  // namespace xmc::promela_lower
