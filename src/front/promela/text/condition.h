// The integer expressions of #if and #elif.
#pragma once

#include "front/promela/text/expander.h"

namespace xmc::promela {

// The value of a list whose macros are expanded; names that are left are 0. False, and reported,
// when it is no expression.
bool evaluate_condition(const Expander& tokens, RawList list, Span place, Diagnostics& diagnostics,
                        bool& out);

}  // namespace xmc::promela
