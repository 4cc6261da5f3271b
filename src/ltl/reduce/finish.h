// The end of every way to an automaton: a graph with accepting states becomes an Automaton in
// permanent memory, with its states numbered, its guards merged and its kind known.
#pragma once

#include <span>
#include <string_view>

#include "ltl/automaton.h"
#include "ltl/graph/effort.h"
#include "ltl/graph/graph.h"

namespace xmc::ltl {

// `graph` has one set, of all arcs of an accepting state. The texts of propositions are copied.
Automaton finish_automaton(Graph& graph, std::span<const std::string_view> propositions,
                           Arena& arena, Effort& effort);

}  // namespace xmc::ltl
