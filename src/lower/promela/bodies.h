// Bodies with a result: what is asked about whole states, not of a process. Behind the moves.
#pragma once

#include "lower/promela/expr/values.h"
#include "lower/promela/property.h"

namespace xmc::promela_lower {

using Predicates = Pool<ir::Predicate, 5, 2048>;

u32 open_body(Writer& w);
void close_body(Writer& w, const Value& v);
u32 lower_condition(Writer& w, ExprId condition);
u32 lower_valid_end(Writer& w);
u32 lower_accepts(Writer& w);

// Of the model's own automaton: guards, assertions and ends.
void lower_claim(Writer& w, const PromelaRequest& request, Property& property,
                 ir::RuleProgram& program, Predicates& predicates);
// Of one from elsewhere, or of a formula.
void lower_automaton(Writer& w, const PromelaRequest& request, Property& property,
                     ir::RuleProgram& program, Predicates& predicates);
void lower_predicates(Writer& w, const PromelaRequest& request, Property& property,
                      ir::RuleProgram& program, Predicates& predicates);

}  // namespace xmc::promela_lower
