// From the statements of a body to places and the actions between them.
//
// A place is the point in front of a basic statement or a construct, and the end. `fi`, `od`,
// closing braces, and jumps behind other statements are no places: what stands in front of them
// leads to the place behind them.
#pragma once

#include "front/promela/parse/context.h"

namespace xmc::promela {

// Makes the graph of each proctype. The model has no mistakes so far; those that only a graph
// shows are reported: unknown labels, jumps into and out of a d_step, jumps that go round.
void build_graphs(Context& context);

}  // namespace xmc::promela
