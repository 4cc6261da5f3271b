// Which expressions are worth one copy of code instead of one per use. Shared by the assembler and
// the emitter.
#pragma once

#include <span>

#include "ir/ir.h"
#include "xmc/arena.h"

namespace xmc {

// In scratch memory, by expression: 1 if it is used more than once and large enough for a
// subroutine.
std::span<u8> find_shared(const ir::Program& program, Arena& arena);

}  // namespace xmc
