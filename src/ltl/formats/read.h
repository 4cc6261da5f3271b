// Automata that other tools have made: HOA version 1 and never claims of Promela. What is read is
// made small like the automaton of a formula, which also turns marks on edges and several
// acceptance sets into accepting states.
//
// The text is untrusted: every failure is a message about a place in it, `where`.
#pragma once

#include <string_view>

#include "ltl/automaton.h"
#include "ltl/formula/formula_parser.h"
#include "xmc/arena.h"
#include "xmc/status.h"

namespace xmc::ltl {

// Acceptance may be on states or edges: t (all), f (none), and conjunctions of Inf(i), that is
// Büchi and generalized Büchi. Any other is refused by its name, and so is alternation. Only the
// first automaton of a text is read.
Status read_hoa(std::string_view text, Arena& arena, Automaton& out, TextRange& where);

// Claims as Spin, ltl2ba and ltl2tgba write them: labels, if and do with gotos, skip, false, and
// assertions in the place of a goto to the end. Guards are expressions over names, comparisons and
// quoted texts.
Status read_never(std::string_view text, Arena& arena, Automaton& out, TextRange& where);

}  // namespace xmc::ltl
