// Promela as a language of the tool.
#pragma once

#include "lang/language.h"

namespace xmc {

Status lower_promela_text(const TextRequest& request, ErrorStates errors, Diagnostics::Sink sink,
                          void* sink_self, Arena& arena, LoweredText& out);

Status gather_promela_text(const GatherRequest& request, Arena& arena, std::string_view& text);

}  // namespace xmc
