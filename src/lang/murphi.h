// Murphi as a language of the tool.
#pragma once

#include "lang/language.h"

namespace xmc {

Status lower_murphi_text(const TextRequest& request, ErrorStates errors, Diagnostics::Sink sink,
                         void* sink_self, Arena& arena, LoweredText& out);

}  // namespace xmc
