// The undisturbed run of a job: its answer, and every call that a fault can meet.
#pragma once

#include <string>
#include <vector>

#include "faults.h"
#include "jobs.h"
#include "process.h"

namespace xmc_test {

struct Probe {
  SearchOutcome outcome;
  u64 polls = 0;
  u64 bytes = 0;  // appended and replaced
  u32 every = 1;
  bool careless = false;  // ProcessPlan::careless
  // The class of each call, in the order that FaultPlan counts them in.
  std::vector<u8> steps, reads, writes, syncs;
  std::string fault;  // the undisturbed answer is wrong
};

// About `checkpoints` of them are made.
Probe probe_job(const Job& job, u32 checkpoints, bool careless);

}  // namespace xmc_test
