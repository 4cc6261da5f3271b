// The product of a program and an automaton, and how every lowering ends: what is found out about
// an automaton is found here, for all languages and wherever the automaton came from.
#pragma once

#include "ir/automaton.h"
#include "ir/ir.h"
#include "lower/name_store.h"
#include "xmc/arena.h"
#include "xmc/status.h"

namespace xmc {

// The only process of a program: an automaton, with room for its locations and edges. The last
// variable and the last initial value are for where it is.
void add_automaton_process(const ir::Automaton& automaton, NameStore& names, Arena& arena,
                           ir::RuleProgram& program);

// Makes a process of the program the automaton: accepting locations, edges from `first_transition`
// on. The lowering has made room for both and named the process and its locations.
void put_automaton(const ir::Automaton& automaton, u32 process, u32 first_transition,
                   ir::Program& program);

struct FinishRequest {
  bool errors_lead_on = false;  // as for mark_components()
  bool fair = false;            // weak fairness of processes is asked for
};

// After the range analysis: components of the automaton, places of variables in a state, numbers of
// steps, and the hash of all that. Fairness is for accepting cycles: without them the program has
// no counter for it.
Status finish_program(const FinishRequest& request, Arena& arena, ir::Program& program);

}  // namespace xmc
