// The bytecode machine as a Model: for boards without a compiler, and the judge of nothing (see
// interpret.h).
#pragma once

#include "exec/processes/bytecode.h"
#include "ir/ir.h"
#include "xmc/arena.h"
#include "xmc/model.h"
#include "xmc/native.h"
#include "xmc/status.h"

namespace xmc {

// Carves the machine and fills in `model`. With `native`, its compiled expansion replaces the
// bytecode's, and the machine only evaluates predicates.
Status make_vm(const ir::Program& program, ErrorRule errors, const NativeModel* native,
               Arena& arena, Model& model);

}  // namespace xmc
