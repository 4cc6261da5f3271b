// Weak fairness of processes: a Model in front of a product, whose accepting cycles are the weakly
// fair ones among those of the inner model.
//
// A run is weakly fair if each process that is enabled in all states from some point on moves again
// and again: if, for each process, it is infinitely often disabled, or moves. The automaton is no
// process; both ends of a synchronisation move; in a deadlock, which repeats, nobody is enabled.
// With the accepting states these are n + 1 sets that a cycle has to meet, for n processes. A
// counter in the state makes one of them (Choueka 1974):
//
//   0      waits for an accepting state of the inner model
//   i > 0  waits for a step in which process i moves, or before which it is disabled
//
// A step advances the counter over all that it meets, as far as 0. The accepting states are those
// of the inner model at counter 0.
//
// What holds between the two models:
//  1. The lowering lays the counter out (ir::counter_slot); the inner model is only ever given
//     states where it is 0, and leaves it 0.
//  2. Successors, their order, labels, errors and predicates are those of the inner model.
//  3. Every step of the system is among the labels if the automaton has a move. Where it has none
//     there is no successor that a wrong set of enabled processes could harm. A step that is
//     erroneous is not among them under ErrorRule::report, and is a violation by itself.
//  4. A cycle does not leave its cycle_class(), and 0 is still where nothing accepts. Not every
//     cycle in an accepting component is fair: the product is not weak.
//
// Memory: 4 bytes for each step of the text, and one state with its labels for each executor.
#pragma once

#include "ir/ir.h"
#include "xmc/arena.h"
#include "xmc/model.h"

namespace xmc {

// `inner` executes `program`, which has a counter. `out` may be `inner` itself.
void make_fair(const ir::Program& program, const Model& inner, Arena& arena, Model& out);

}  // namespace xmc
