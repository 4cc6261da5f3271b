// Loops over types, over intervals, and over the elements of a multiset.
#pragma once

#include "lower/murphi/code.h"
#include "lower/murphi/scope.h"

namespace xmc::murphi_lower {

struct Loop {
  u32 head = 0;
  u32 cell = 0;      // of its variable
  u32 step = kNone;  // register; kNone: the number is known
  i32 by = 1;
  Label out = {};
};
Loop open_loop(Code& code, const Scope& scope, VariableId id);
void close_loop(Code& code, Loop& loop);

// Elements that are present; the variable is the number of the slot.
struct SlotLoop {
  u32 head = 0;
  u32 cell = 0;
  Label next = {};
  Label out = {};
};
SlotLoop open_slots(Code& code, const Scope& scope, VariableId choice);
void close_slots(Code& code, SlotLoop& loop);
// Where the slot of an element has none.
void jump_if_free(Code& code, const Scope& scope, const Place& slot, Label& to);

}  // namespace xmc::murphi_lower
