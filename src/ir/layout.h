// Where each variable sits in the packed state.
#pragma once

#include "ir/ir.h"
#include "xmc/arena.h"
#include "xmc/status.h"

namespace xmc::ir {

// Gives every variable its slot from its proved range, and writes the initial and the error state.
// Fields never straddle words; short arrays stay in one word, so that an element is one shift away.
// The counter of fairness comes last, so that no other field depends on it.
Status assign_layout(Program& program, Arena& arena);

// Where the counter of a program that is `fair` is. The program does not say it: it is the first
// word with room behind the variables.
Slot counter_slot(const Program& program);

// Stores `value` into a field of a packed state; the value must be in range.
void write_slot(const Slot& slot, i32 value, Word* state);

// Model::cycle_class() of a product.
inline u32 cycle_class_of(const Program& p, const Word* state) {
  const Process& property = p.processes[p.property];
  const u32 at = static_cast<u32>(slot_value(p.variables[property.location].slot, state));
  return at < property.location_count ? p.cycle_classes[at] : 0;
}

// Of everything that compiled code depends on: fairness is not part of it.
u64 code_hash(const Program& program);
// Of everything that an execution of the program depends on.
u64 program_hash(const Program& program);

}  // namespace xmc::ir
