// One case: a run, a fault in it, and all the processes until it has its answer.
#pragma once

#include "faults.h"
#include "probe.h"

namespace xmc_test {

// Everything else follows from the seed and the index.
CaseResult run_case(const Job& job, const Probe& probe, Fault fault, u32 index, u32 seed);

}  // namespace xmc_test
