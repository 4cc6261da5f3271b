// Steps of the model that take long, from outside: who ends them, and what is said of one that was
// ended (xmc/step_work.h).
#pragma once

#include "xmc/model_text.h"
#include "xmc/status.h"
#include "xmc/text.h"

namespace xmc {

// Whoever is in a step hears signals from here on. A Watch adds the limit of time.
void watch_steps_for_signals();

// Of the step that has spent too much: "step of lines 3-9", and what it can be.
void describe_long_step(const ModelText& text, Text& out);

// Where the stop of a step ends what is no search: a failure that says why. Others stay.
Status told_stop(const Status& status, const ModelText& text);

}  // namespace xmc
