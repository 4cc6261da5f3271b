// A step while its code is made: first what has to hold in the state, then `begin`, then what
// changes in the successor.
#pragma once

#include "lower/promela/expr/values.h"
#include "lower/promela/expr/writer.h"

namespace xmc::promela_lower {

struct Step {
  Scope scope;
  u32 label = 0;         // of the step that is tried
  u32 done = kNone;      // register: some option was executable; kNone: nothing asks for that
  u32 escape = kNone;    // register: the escape of the last one that was; kNone: there is none
  Label* yes = nullptr;  // a test: where a successor would begin, it goes there

  bool is_test() const { return yes != nullptr; }
};

// From here on the successor is read and written.
void begin_step(Writer& w, Step& step);
// Another one is tried, from the state.
void attempt(Writer& w, Step& step, u32 label, Label& next);
// Tests have no labels.
u32 step_label(Writer& w, const Step& step, const StepWords& words);
// The process of a slot goes on.
void move_to(Writer& w, u32 q, PlaceId from, PlaceId to);
// The step is complete.
void yield(Writer& w, const Step& step, bool keeps_control);

}  // namespace xmc::promela_lower
