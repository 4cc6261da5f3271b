// Step labels: one number names a step of the model. With T transitions,
//     system step s < T           transition s alone (local, or on a buffered channel)
//     system step s in T..S-2     a rendezvous: sender t with receiver r of its channel is
//     t.first_pair + r system step S-1             the system stutters and only the property moves
// and label = s * property_moves + m, where m counts the property's transitions in the order of the
// text.
#pragma once

#include "ir/ir.h"
#include "xmc/status.h"

namespace xmc::ir {

// Numbers the pairs and bounds the successors of a state.
Status number_steps(Program& program);
// Of a program with processes: steps of the system that can be enabled at once, at most.
u64 most_steps(const Program& program);

inline u32 step_label(const Program& p, u32 step, u32 property_move) {
  return step * p.property_moves + property_move;
}
inline u32 stutter_step(const Program& p) { return p.step_count - 1; }

// What a label stands for; transitions are indexes of Program::transitions.
StepText decode_step(const Program& program, u32 label);
// The same for ModelText, whose `self` is the program.
StepText decode_step_of(const void* program, u32 label);

}  // namespace xmc::ir
