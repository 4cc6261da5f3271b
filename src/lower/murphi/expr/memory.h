// Values between registers and the places of a text.
#pragma once

#include "lower/murphi/code.h"
#include "lower/murphi/scope.h"

namespace xmc::murphi_lower {

// A register with the address of so many leaves.
u32 address_of(Code& code, const Place& p, u32 leaves);
u32 load(Code& code, const Place& p);
void store(Code& code, const Place& p, u32 r, Span where);
void copy(Code& code, const Place& to, const Place& from, u32 leaves, Span where);
// Leaves from `offset` on become what register `with` holds.
void fill(Code& code, const Place& p, u32 offset, u32 leaves, u32 with);
void undefine(Code& code, const Scope& scope, const Place& p);
// Each leaf has its lowest value, and multisets are empty.
void clear(Code& code, const Scope& scope, const Place& p);

}  // namespace xmc::murphi_lower
