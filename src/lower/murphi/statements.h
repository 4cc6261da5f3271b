// Statements of rules and routines.
#pragma once

#include "lower/murphi/code.h"
#include "lower/murphi/scope.h"

namespace xmc::murphi_lower {

// This one and what follows it.
void statements(Code& code, const Scope& scope, StmtId first);

}  // namespace xmc::murphi_lower
