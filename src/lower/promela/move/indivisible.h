// d_step: straight code for a graph of statements, each with its first executable option. The code
// of a place is made once; a jump back to it counts, so that none of them is endless.
#pragma once

#include "lower/promela/move/step.h"

namespace xmc::promela_lower {

// The code of places inside the d_step that is lowered, and those that are jumped to.
struct DSteps {
  struct PlaceCode {
    u32 code = kNone;
    bool is_waiting = false;
    Label label;
  };
  DSteps(u32 places, Arena& arena);

  std::span<PlaceCode> codes;  // by place
  Pool<PlaceId, 5, 4096> waiting;
};

// One of them.
struct DStep {
  u32 turns = 0;  // register: jumps back
  u32 first = 0;  // of DSteps::waiting
  Label end;
};

void indivisible(Writer& w, Step& step, const Action& a, Label& blocked);
// The rest of one, from a place inside it on.
void rest_of_indivisible(Writer& w, const Step& step, PlaceId place);

}  // namespace xmc::promela_lower
