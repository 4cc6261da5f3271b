// Checks over a whole system, after its text was read.
#pragma once

#include <string_view>

#include "front/dve/dve_ast.h"
#include "front/source.h"

namespace xmc::dve {

// The number of the process of this name, or kNone.
u32 find_process(const System& system, std::string_view name);

// Whether a process can serve as a property: it must not synchronise and must not assign globals,
// since it only watches the system. Used for the property that the file names, and for --property
// NAME on any other process. Reports what is wrong and returns Code::model then. `source` is the
// text the system was made from, and `diagnostics` belongs to it.
Status check_property(const Source& source, Diagnostics& diagnostics, const System& system,
                      u32 process);

// Warns where both sides of a rendezvous may assign the same global variable: the reference
// implementation calls such a step an error, we let the receiver assign first.
void warn_conflicting_effects(Diagnostics& diagnostics, Arena& arena, const System& system);

}  // namespace xmc::dve
