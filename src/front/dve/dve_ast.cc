#include "front/dve/dve_ast.h"

namespace xmc::dve {

System::System(Arena& arena)
    : expressions(arena, "expressions"),
      variables(arena, "variables"),
      values(arena, "initial values"),
      channels(arena, "channels"),
      types(arena, "channel types"),
      processes(arena, "processes"),
      states(arena, "local states"),
      transitions(arena, "transitions"),
      sent(arena, "sent values"),
      received(arena, "received values"),
      assignments(arena, "assignments"),
      assertions(arena, "assertions"),
      spots(arena, "places in the text") {}

}  // namespace xmc::dve
