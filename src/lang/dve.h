// DVE as a language of the table.
#pragma once

#include "lang/language.h"

namespace xmc {

Status lower_dve_text(const TextRequest& request, ErrorStates errors, Diagnostics::Sink sink,
                      void* sink_self, Arena& arena, LoweredText& out);

}  // namespace xmc
