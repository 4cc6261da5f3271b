// From DVE text to a checked System (dve_ast.h). The whole language of the reference
// implementation; what it rejects is an error with a place, what it accepts by accident is a
// warning.
#pragma once

#include "front/dve/dve_ast.h"
#include "front/source.h"

namespace xmc::dve {

// Fills `system`. Returns ok or Code::model after the diagnostics were shown. Never recurses deeper
// than limits::kExpressionDepth and never reads outside the text, whatever the text is.
Status parse(const Source& source, Diagnostics& diagnostics, Arena& arena, System& system);

// An expression of the command line (--invariant, --reach) over a parsed system: globals, P.q and
// P->x.
Result<ExprId> parse_expression(const Source& source, Diagnostics& diagnostics, Arena& arena,
                                System& system);

}  // namespace xmc::dve
