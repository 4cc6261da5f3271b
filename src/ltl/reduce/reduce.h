// From a generalized graph to a small automaton: what a translation and the readers of automata
// share.
#pragma once

#include <span>
#include <string_view>

#include "ltl/automaton.h"
#include "ltl/graph/effort.h"
#include "ltl/graph/graph.h"
#include "xmc/arena.h"
#include "xmc/status.h"

namespace xmc::ltl {

// Changes `graph`; the automaton is carved from the arena.
Status make_small(Graph& graph, std::span<const std::string_view> propositions, Arena& arena,
                  Effort& effort, Automaton& out);

}  // namespace xmc::ltl
