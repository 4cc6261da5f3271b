// The state: every leaf path of a global variable is one column, an ir::Variable with an element
// for each combination of indices on the path. So a column has one width, and words are filled
// with equal fields side by side.
#pragma once

#include "ir/automaton.h"
#include "ir/ir.h"
#include "lower/murphi/layout.h"
#include "lower/name_store.h"

namespace xmc::murphi_lower {

struct LeafPlace {
  u32 column = 0;
  u32 element = 0;
};

// Variables and their initial values; that of the automaton, if there is one, comes last. Where
// each leaf is.
std::span<const LeafPlace> make_columns(const Layout& layout, const ir::Automaton* automaton,
                                        NameStore& names, Arena& arena, ir::RuleProgram& program);
// When variables have their fields.
void place_leaves(std::span<const LeafPlace> places, Arena& arena, ir::RuleProgram& program);

}  // namespace xmc::murphi_lower
