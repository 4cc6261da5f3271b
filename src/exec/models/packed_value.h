// The value of an expression in a packed state, for who has no machine at hand.
#pragma once

#include "ir/ir.h"
#include "xmc/types.h"

namespace xmc {

// False: an index or a division fails.
bool packed_value(const ir::Program& program, ir::ExprId id, const Word* state, i32& value);

}  // namespace xmc
