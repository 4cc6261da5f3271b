// What is asked about processes: where they are, their locals, how many there are, whether they can
// move.
#pragma once

#include "lower/promela/expr/values.h"

namespace xmc::promela_lower {

// To `no` unless the process of a slot is of a type.
void jump_unless(Writer& w, const SlotType& type, Label& no);
// 1 where every process is at a place as it is wanted.
Value places_value(Writer& w, bool (*wanted)(const promela::Place&));

Value read_remote(Writer& w, const Scope& scope, const Reference& r);
Value at_label(Writer& w, const Scope& scope, const promela::Expr& e);
Value process_count(Writer& w, const Scope& scope);
Value priority_of(Writer& w, const Scope& scope, const promela::Expr& e);

// np_, and as a claim sees it.
Value no_progress(Writer& w);
Value claim_no_progress(Writer& w);

// A register that says whether the process of a slot can move, with `timeout` as that register has
// it. The routine is made later (move/tests.h).
u32 test(Writer& w, u32 q, u32 timeout);
Value enabled(Writer& w, const Scope& scope, const promela::Expr& e);
// What `timeout` is in a claim.
u32 claim_timeout(Writer& w);

}  // namespace xmc::promela_lower
