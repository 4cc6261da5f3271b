// A program without its dead variables: what is not read before it is written again has one value,
// and takes part in no difference between states.
//
// A step to a location sets what is dead there and was not before to a constant, by assignments
// behind those of the text. An assignment to what is dead that cannot fail goes. Everything else is
// as before, transitions and their order included. The states of the two programs are bisimilar by
// the function that ir::DeadVariables is: enabled steps, their labels, errors and deadlocks,
// predicates and the property's moves are the same, so that verdicts, depths and products are, too.
#pragma once

#include "ir/dead.h"
#include "lower/liveness.h"
#include "lower/product.h"

namespace xmc {

struct DeadRequest : FinishRequest {
  bool want_error_state = false;  // as for analyse_ranges()
  LivenessRules rules;
};

// After `whole` is finished. `out.cell_count` is 0 where nothing is dead; `reduced` is then not
// filled in. The two share their expressions, whose checks are from then on those of `reduced`:
// `whole` is for the judge, which does not ask for them.
Status remove_dead_variables(const ir::Program& whole, const DeadRequest& request, Arena& arena,
                             ir::Program& reduced, ir::DeadVariables& out);

// About as much memory as that takes, and as the program takes that it makes.
u64 dead_variables_bytes(const ir::Program& whole);

}  // namespace xmc
