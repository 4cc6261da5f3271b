// Bodies with a result: what is asked about whole states, not of a process. Behind the moves.
#pragma once

#include "lower/asked.h"
#include "lower/promela/expr/values.h"
#include "lower/promela/property.h"

namespace xmc::promela_lower {

u32 open_body(Writer& w);
void close_body(Writer& w, const Value& v);
u32 lower_valid_end(Writer& w);
u32 lower_accepts(Writer& w);

// Of the model's own automaton: guards, assertions and ends.
void lower_claim(Writer& w, const PromelaRequest& request, Property& property,
                 ir::RuleProgram& program, Predicates& predicates);
void lower_predicates(Writer& w, const PromelaRequest& request, Property& property,
                      ir::RuleProgram& program, Predicates& predicates);

}  // namespace xmc::promela_lower
