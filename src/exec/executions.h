// The executions of a program as Models: the machine that searches use, and the judge.
//
// A program has processes or rules. The two functions here ask which, and nobody else does: what
// they call is exec/processes/vm.h and processes_judge.h for processes, and exec/rules/rules.h for
// rules.
#pragma once

#include "ir/ir.h"
#include "xmc/arena.h"
#include "xmc/model.h"
#include "xmc/native.h"
#include "xmc/status.h"

namespace xmc {

// Carves the machine and fills in `model`. With `native`, its compiled expansion replaces that of
// the bytecode, and the machine only evaluates predicates.
Status make_vm(const ir::Program& program, ErrorRule errors, const NativeModel* native,
               Arena& arena, Model& model);

// The judge, which trusts nothing that the lowering proved.
Status make_interpreter(const ir::Program& program, ErrorRule errors, Arena& arena, Model& model);

}  // namespace xmc
