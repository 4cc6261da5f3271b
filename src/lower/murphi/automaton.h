// The product with an automaton from elsewhere: one process more, whose guards are bodies. They and
// the bodies of propositions come behind the code of the model, which is the same without them.
#pragma once

#include "lower/automaton_shape.h"
#include "lower/murphi/murphi_lower.h"
#include "lower/murphi/rules.h"

namespace xmc::murphi_lower {

// The process, its locations and edges, and the variable that says where it is: the last one.
void place_automaton(const ir::Automaton& automaton, NameStore& names, Arena& arena,
                     ir::RuleProgram& program);
// Alarms are the first predicates.
void lower_automaton(Code& code, const Layout& layout, const MurphiRequest& request,
                     AutomatonShape& shape, Arena& arena, RuleLists& lists,
                     ir::RuleProgram& program);

}  // namespace xmc::murphi_lower
