// The bytecode machine for programs with processes, as a Model: for boards without a compiler. It
// judges nothing; processes_judge.h does.
#pragma once

#include "exec/processes/bytecode.h"
#include "ir/ir.h"
#include "xmc/arena.h"
#include "xmc/model.h"
#include "xmc/native.h"
#include "xmc/status.h"
#include "xmc/stepwise.h"

namespace xmc {

// make_vm() of exec/executions.h for a program with processes.
Status make_process_vm(const ir::Program& program, ErrorRule errors, const NativeModel* native,
                       Arena& arena, Model& model);

// Lets such a model be expanded step by step, and its forks from then on. Not given for programs
// with rules, and for compiled code that cannot.
Stepwise make_stepwise_vm(const ir::Program& program, const Model& model, Arena& arena);

}  // namespace xmc
