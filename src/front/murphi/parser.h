// From Murphi text to a checked System (ast.h): the language of CMurphi with rumur's extensions.
// Where the two disagree about a text, the dialect decides. Reals and probabilities are refused.
#pragma once

#include "front/murphi/ast.h"
#include "front/murphi/lexer.h"
#include "front/source.h"

namespace xmc::murphi {

// Fills `system`. Returns ok or Code::model after the diagnostics were shown. Never recurses deeper
// than limits::kExpressionDepth and limits::kBlockDepth together, and never reads outside the text,
// whatever the text is.
Status parse(const Source& source, Diagnostics& diagnostics, Arena& arena, Dialect dialect,
             System& system);

// A boolean expression of the command line (--invariant, --reach) over a parsed system.
Result<ExprId> parse_expression(const Source& source, Diagnostics& diagnostics, Arena& arena,
                                Dialect dialect, System& system);

}  // namespace xmc::murphi
