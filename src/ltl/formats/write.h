// Automata as text: HOA version 1, a never claim of Promela, or a picture for Graphviz.
#pragma once

#include <string_view>

#include "ltl/automaton.h"
#include "ltl/formats/text_out.h"
#include "xmc/status.h"

namespace xmc::ltl {

// `name` is shown where the format has a place for it: the formula, or the file.
Status write_hoa(const Automaton& automaton, std::string_view name, Sink sink);
// Propositions that are no plain expression stand in quotes, which our reader takes and Spin does
// not: it would not know the expression either.
Status write_never(const Automaton& automaton, std::string_view name, Sink sink);
Status write_dot(const Automaton& automaton, std::string_view name, Sink sink);

// Whether the state accepts everything and has no other edge than its loop.
bool accepts_all(const Automaton& automaton, u32 state);
// Whether each letter leads from each state to at most one other, or to one at least.
bool is_deterministic(const Automaton& automaton);
bool is_complete(const Automaton& automaton);

}  // namespace xmc::ltl
