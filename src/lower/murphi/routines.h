// Procedures and functions: lowered once each.
#pragma once

#include "lower/murphi/code.h"
#include "lower/murphi/scope.h"

namespace xmc::murphi_lower {

void lower_routines(Code& code, const Layout& layout, std::span<ir::Routine> out);

}  // namespace xmc::murphi_lower
