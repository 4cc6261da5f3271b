// From the IR to bytecode.
#pragma once

#include "exec/processes/bytecode.h"
#include "ir/ir.h"
#include "xmc/arena.h"
#include "xmc/status.h"

namespace xmc {

// The code lives in permanent arena memory.
Status assemble(const ir::Program& program, Arena& arena, CodeBlock& out);

}  // namespace xmc
