// Senders and receivers of a channel accord, though both write what is in it.
//
// Let a step put a message v behind those of a channel, and another one take the first
// (StepFact::channel). Where both are enabled there are messages m1 .. mn, with 0 < n < capacity.
// The sender leaves m1 .. mn v, and after that there is still a message, with m1 in front; the
// receiver leaves m2 .. mn, and after that there is still room. So neither disables the other, what
// the receiver compares and stores is m1, and what is left is m2 .. mn v, in either order. It is in
// the same cells, too: messages stand from the first cell on, and free cells are zero. With all
// else that they do the two have to accord as any others, but for the cells of the channel.
#pragma once

#include "ir/tables/step_facts.h"
#include "ir/tables/step_tables.h"

namespace xmc::ir {

// Takes such pairs out of the rows of steps that do not accord. Conditions are watched, and
// `tables` has the rows of what turns them.
void accord_ends(const StepFacts& facts, const StepTables& tables, std::span<u64> discord);

}  // namespace xmc::ir
