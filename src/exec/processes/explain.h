// Why a step or a predicate is erroneous, in words: what failed, the expression as the text has it,
// and the values that it read.
#pragma once

#include "exec/processes/evaluate.h"
#include "ir/ir.h"
#include "xmc/text.h"
#include "xmc/types.h"

namespace xmc {

// Where an execution was when something failed.
struct FaultPlace {
  ir::Note::Part part = ir::Note::Part::guard;
  u32 index = 0;        // as in ir::Note
  u32 process = kNone;  // whose names need no prefix
  u32 sent = kNone;     // of a rendezvous: the value that is received, index in Program::sent
};

struct Fault {
  enum class Kind : u8 { none, operation, index, value } kind = Kind::none;
  FaultPlace place;
  ir::ExprId expr = kNone;  // operation: the index or division that failed
  i32 value = 0;            // the index, or the value that does not fit
  Cells cells;              // values at that time
  Cells index_cells;        // those that the index of a target is computed from
};

// Appends "index 7 of a[5]: a[i + 2] with i=5" and such; returns the line of the text, or 0.
u32 explain_fault(const ir::Program& program, const Fault& fault, Text& out);

}  // namespace xmc
