// Designators: where a variable, a field or an element is.
#pragma once

#include "lower/murphi/code.h"
#include "lower/murphi/scope.h"

namespace xmc::murphi_lower {

Place place(Code& code, const Scope& scope, ExprId id);
// The element of a multiset in this slot, and what says behind it that it is present.
Place slot_of(Code& code, const Scope& scope, Place multiset, u32 slot, Span where);
// Indices of a place are evaluated here, once; a value is, too.
Alias bind_alias(Code& code, const Scope& scope, VariableId id);

}  // namespace xmc::murphi_lower
