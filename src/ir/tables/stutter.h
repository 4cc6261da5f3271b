// Whether the automaton of a product says the same of all runs that differ in stuttering only.
//
// A reduced model moves as often as the whole one between two visible changes only by chance, and
// the automaton moves with each step. It does not matter if reading a letter twice is always the
// same as reading it once: the same locations lead to the same ones, past an accepting one or not.
// Letters are valuations of the atoms: what stands below and, or, not and imply in guards. This is
// enough, not necessary: for 98 of 103 automata of BEEM it says yes.
#pragma once

#include "ir/ir.h"
#include "xmc/arena.h"

namespace xmc::ir {

// Why the product cannot be reduced; empty: it can. `whole`: what ends a run, as an error and an
// assertion do, is looked for as well, so that no location can be forgotten.
std::string_view why_stuttering_matters(const Program& program, bool whole, Arena& arena);

}  // namespace xmc::ir
