// The formula of an ltl block, or of an option, as it was parsed: an automaton of the runs that
// violate it, or one expression.
#pragma once

#include <span>

#include "front/promela/system.h"
#include "ltl/automaton.h"
#include "xmc/arena.h"
#include "xmc/status.h"

namespace xmc {

struct FormulaAutomaton {
  ltl::Automaton automaton;
  std::span<const promela::ExprId> propositions;
};

// Of System::formulas. Texts of propositions are pieces of the model's files.
Status translate_formula(const promela::System& system, u32 formula, Arena& arena,
                         FormulaAutomaton& out);

// The expression that a formula without temporal operators is; kNone for another one.
promela::ExprId expression_of(promela::System& system, u32 formula);

}  // namespace xmc
