// What the text says where a step or a predicate can be erroneous. Only that is kept: the judge
// finds out which of these places failed, once, after the search.
#pragma once

#include "front/dve/dve_ast.h"
#include "front/source.h"
#include "ir/ir.h"
#include "lower/dve/dve_exprs.h"
#include "lower/dve/dve_lower.h"
#include "lower/name_store.h"
#include "xmc/arena.h"

namespace xmc {

// What became of the names and expressions of a DVE text.
struct LoweredNames {
  std::span<const u32> processes;  // IR process or kNone
  std::span<const VariableMap> variables;
  std::span<const u32> exprs;  // IR expression or kNone
};

// After the range analysis, which says what may fail.
void note_failures(const dve::System& system, const Source& source, const LowerRequest& request,
                   const LoweredNames& lowered, NameStore& names, Arena& arena,
                   ir::Program& program);

}  // namespace xmc
