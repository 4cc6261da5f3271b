// Rendezvous: the sender's statement looks for every receive that takes its message, in the other
// processes from the highest pid on. Each pair is a step of its own.
#pragma once

#include "lower/promela/expr/channels.h"
#include "lower/promela/move/step.h"

namespace xmc::promela_lower {

// Where code stands that the steps of an option share.
struct SharedCode {
  u32 place = 0;      // where the options of the place begin
  CodeRange channel;  // what says which channel it is about
  u32 choice = 0;     // where that of one of them begins
};

// How many successors there are at most. `step` is the sender's.
u32 rendezvous(Writer& w, Step& step, const Option& o, const Action& a, const ChannelChoice& c,
               const SharedCode& shared);

}  // namespace xmc::promela_lower
