// A whole model and its reduced form, which have to be bisimilar by the map that replay uses: in
// each state of the whole model and the one that it is mapped to, the same steps are enabled, fail
// or lead to states that are mapped to one another, and predicates, deadlocks and acceptance are
// the same.
#pragma once

#include <string>

#include "state_graph.h"
#include "xmc/model.h"

namespace xmc_test {

struct Pair {
  Model whole;
  Model reduced;
  Model twin;  // the interpreter of what `reduced` executes
  StateMap map;
};

// What differs on the reachable states; empty: nothing.
std::string unlike(const Pair& pair, const StateGraph& whole, const StateGraph& reduced);
// The same without the map, which rules that are wrong may lead out of what fields can hold: walks
// both side by side.
bool walk_apart(const Pair& pair, u64 most);

}  // namespace xmc_test
