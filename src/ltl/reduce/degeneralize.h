// From a generalized automaton with marks on arcs to one with accepting states: a state gets as
// many copies as there are levels, and a run climbs one level with each mark that it waits for, or
// several at once. What keeps the copies few:
//
// - Levels are those of a component. A run that enters one begins where the state has a copy
//   already, or at the level that was asked for, and components without an accepting cycle have
//   one level.
// - Where all arcs of a component have all marks, there is only the accepting level.
#pragma once

#include "ltl/graph/graph.h"
#include "xmc/arena.h"
#include "xmc/status.h"

namespace xmc::ltl {

struct LevelChoice {
  u8 order[limits::kAcceptanceSets] = {};  // the sets in the order in which they are waited for
  bool enter_high = false;                 // components are entered at the accepting level
};

// `out` has one set, of all arcs of an accepting state; it is scratch of the arena.
Status degeneralize(const Graph& graph, const LevelChoice& choice, Arena& arena, Graph& out);

}  // namespace xmc::ltl
