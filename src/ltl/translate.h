// A formula to a small Büchi automaton:
//
//   simplify       negation normal form, rewriting
//   tableau        generalized automaton with marks on edges
//   prune          components: useless states, marks that decide nothing
//   simulation     states and edges that another stands for
//   degeneralize   accepting states; then pruned and reduced again
//   finish         numbers, guards, weak or terminal
//
// There are several ways to choose levels and marks of idle edges. All are tried, and the smallest
// automaton is made again and kept: the first one of those with the fewest states, then edges. The
// result depends on nothing but the formula.
#pragma once

#include <span>
#include <string_view>

#include "ltl/automaton.h"
#include "ltl/formula/formula.h"
#include "ltl/formula/formula_parser.h"
#include "xmc/arena.h"
#include "xmc/status.h"

namespace xmc::ltl {

// The automaton of the formula, or of its negation. It is carved from the arena; scratch is given
// back. A formula that is too large for a limit is an error of the model.
Status translate(Formulas& formulas, Formula formula, bool negated,
                 std::span<const std::string_view> propositions, Arena& arena, Automaton& out);

// The same from text. `where` is known after an error of syntax.
Status translate_text(std::string_view text, bool negated, Arena& arena, Automaton& out,
                      TextRange& where);

}  // namespace xmc::ltl
