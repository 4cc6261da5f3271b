// What statements do to multisets, whose elements are in slots, and the order of slots in a state.
#pragma once

#include "lower/murphi/code.h"
#include "lower/murphi/scope.h"

namespace xmc::murphi_lower {

void add_element(Code& code, const Scope& scope, const murphi::Stmt& s);
void remove_element(Code& code, const Scope& scope, const murphi::Stmt& s);
void remove_matching(Code& code, const Scope& scope, const murphi::Stmt& s);
// Of all global variables: which slot an element is in does not matter.
void sort_multisets(Code& code, const Layout& layout);

}  // namespace xmc::murphi_lower
