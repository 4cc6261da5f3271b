// Code that has been read from files so far: of this program, and of the shared libraries that it
// came with. Most of what a library runs is for its start, and would be resident for good.
#pragma once

#include "xmc/types.h"

namespace xmc {

enum class CodeOf : u8 { program, libraries };

// It is resident again when it is next called. Pages that differ from their file stay: MPI's
// libraries patch code, to hear of memory that is unmapped.
void drop_used_code(CodeOf whose);

}  // namespace xmc
