// The tables that people read: variables with names, transitions with lines and text, predicates.
#pragma once

#include "front/dve/dve_ast.h"
#include "front/source.h"
#include "ir/ir.h"
#include "lower/dve/dve_lower.h"
#include "lower/name_store.h"
#include "xmc/arena.h"
#include "xmc/model_text.h"

namespace xmc {

// `processes` maps DVE processes to IR processes or kNone.
void describe_dve(const dve::System& system, const Source& source, const LowerRequest& request,
                  std::span<const u32> processes, NameStore& names, Arena& arena,
                  const ir::Program& program, ModelText& text);

}  // namespace xmc
