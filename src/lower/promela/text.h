// What people read about a Promela model: variables with the names of their processes, and steps as
// the statements that they are.
#pragma once

#include "front/promela/system.h"
#include "ir/ir.h"
#include "lower/name_store.h"
#include "lower/promela/layout/slots.h"
#include "lower/promela/promela_lower.h"
#include "lower/promela/words.h"

namespace xmc {

void describe_promela(const promela::System& system, const PromelaRequest& request,
                      const promela_lower::Slots& slots, const promela_lower::Words& words,
                      const Pool<promela::Span, 5, 2048>& claim_places, NameStore& names,
                      Arena& arena, const ir::RuleProgram& program, ModelText& text);

}  // namespace xmc
