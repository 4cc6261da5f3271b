// The automaton of a product with a DVE model: its shape is in terms of the program, its guards are
// DVE expressions until those of the model are lowered, together with them.
#pragma once

#include "front/dve/dve_ast.h"
#include "ir/automaton.h"
#include "ltl/automaton.h"
#include "xmc/arena.h"
#include "xmc/status.h"

namespace xmc {

struct DveAutomaton {
  ir::Automaton automaton;              // the lowering fills in the guards
  std::span<const dve::ExprId> guards;  // by edge; kNone: true
  // The process that it was made from, which keeps its number and its variables. kNone: the
  // automaton comes from elsewhere, and stands behind all processes.
  u32 process = kNone;
  // Of a terminal one: in this location the run is bad for good unless the condition holds.
  struct Alarm {
    u32 location = 0;
    dve::ExprId condition = kNone;
  };
  std::span<const Alarm> alarms = {};
};

// A property process as an automaton (dve.md, section 9). In scratch; names are those of the text.
DveAutomaton automaton_of(const dve::System& system, u32 process, Arena& arena);

// An automaton from elsewhere; its propositions are given as expressions of the system, to which
// those of the guards are added. Its shape is that of shape_of(). In scratch.
Status automaton_of(const ltl::Automaton& from, std::span<const dve::ExprId> propositions,
                    bool as_cycles, dve::System& system, Arena& arena, DveAutomaton& out);

}  // namespace xmc
