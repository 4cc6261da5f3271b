// What --reduce comes to: which reductions a run asks for.
#pragma once

#include <string_view>

#include "cli/options/options.h"
#include "cli/run/input/load_model.h"
#include "xmc/engine.h"
#include "xmc/status.h"

namespace xmc {

struct ReductionChoice {
  bool dead = false;
  bool steps = false;
  bool where_it_pays = false;  // steps are left to the run, which looks at its first states
};

// A word of --reduce.
ReductionChoice reduction_choice(std::string_view word);

// The option as the run has it from now on, in its first process and when it is resumed: what only
// this process counts, or this version has as its default, does not change the model later.
// A built checker has what its code is of, `native`, or null, unless it is told.
Status settle_reduction(Options& options, const EngineTraits& engine, const char* native,
                        bool from_work);

// What the language has to find for it.
void ask_reduction(const Options& options, LoadRequest& request);

}  // namespace xmc
