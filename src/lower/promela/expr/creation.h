// Processes and their channels begin.
#pragma once

#include "lower/promela/expr/values.h"

namespace xmc::promela_lower {

Value run_process(Writer& w, const Scope& scope, const promela::Expr& e);
// The slot is empty: all its cells are 0.
void create(Writer& w, const Scope& scope, u32 q, u32 proctype, std::span<const Value> arguments,
            i32 priority);
// Of globals, in the state in which all is 0.
void initial_globals(Writer& w, const Scope& scope);

}  // namespace xmc::promela_lower
