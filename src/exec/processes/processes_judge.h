// The judge: a plain interpreter of the IR that replays traces and referees the fast executions.
//
// It shares neither code nor shortcuts with the bytecode machine or emitted code: it unpacks the
// state into one integer per field, walks expression trees, checks every index, divisor and stored
// value whether or not the range analysis proved it fine, follows every transition whether or not
// it was proved dead, and packs the result again.
#pragma once

#include "ir/ir.h"
#include "xmc/arena.h"
#include "xmc/model.h"

namespace xmc {

// make_interpreter() of exec/executions.h for a program with processes.
void make_process_judge(const ir::Program& program, ErrorRule errors, Arena& arena, Model& model);

}  // namespace xmc
