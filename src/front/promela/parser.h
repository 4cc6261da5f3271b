// From Promela text to a checked System (system.h).
#pragma once

#include <span>

#include "front/promela/system.h"
#include "front/promela/text/preprocessor.h"
#include "front/source.h"

namespace xmc::promela {

// What comes from outside the text.
struct Surroundings {
  std::span<const Definition> definitions;
  IncludeReader reader = {};
  AskedTexts asked = {};  // their properties are the last ones of the system
};

// Fills `system`. Returns ok or Code::model after the diagnostics were shown. Never recurses deeper
// than the limits of xmc/limits.h, and never reads outside the texts, whatever they are.
Status parse(const Source& source, const Surroundings& surroundings, Diagnostics& diagnostics,
             Arena& arena, System& system);

}  // namespace xmc::promela
