// Properties: bodies with a result, of whole states.
#pragma once

#include "lower/murphi/rules.h"

namespace xmc::murphi_lower {

// Its value is that of all instances together, or of any of them. The place of its code.
u32 lower_property(Code& code, const Layout& layout, const murphi::Rule& rule, bool any);
// Each instance is a property of its own.
ir::Rule lower_liveness(Code& code, const Layout& layout, const murphi::Rule& rule,
                        RuleLists& lists);

}  // namespace xmc::murphi_lower
