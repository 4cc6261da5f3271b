// What is around a rule or property: parameters of rulesets and chooses, which are registers behind
// its frame that an execution sets, and aliases. What is in the frame is undefined anew in each
// step, and they are not.
#pragma once

#include "lower/murphi/code.h"
#include "lower/murphi/scope.h"

namespace xmc::murphi_lower {

using Parameters = Pool<ir::Parameter, 5, 2048>;

// The first register behind them.
u32 bindings_end(const Layout& layout, const murphi::Rule& rule);
// Fills in what `out` says of parameters, which are added to the list.
void bind_parameters(Code& code, const Layout& layout, const murphi::Rule& rule, ir::Rule& out,
                     Parameters& parameters);
// Evaluates aliases, and looks whether chosen elements are there; else it goes to `off`. The scope
// inside, whose aliases are in `room`: one for each binding.
Scope bind_names(Code& code, const Scope& around, std::span<Alias> room, Label& off);

}  // namespace xmc::murphi_lower
