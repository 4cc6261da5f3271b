// One process of a run: it begins, or goes on by the rule of resume from what the card has, and
// works until it is done, stopped, or the card fails.
#pragma once

#include <string>

#include "card.h"
#include "jobs.h"

namespace xmc_test {

struct ProcessPlan {
  FaultPlan faults;
  u64 stop_at_poll = ~u64{0};
  u64 most_polls = ~u64{0};  // more than that is a hang
  u32 every = 1;             // a checkpoint each time that it is asked for the n-th time
  u16 life = 1;              // another one for each process of a run
  bool careless = false;     // commits name files that are not durable
};

struct ProcessEnd {
  Status status;
  SearchOutcome outcome;
  bool resumed = false;    // there was a checkpoint to go on from
  bool fell_back = false;  // it was the older one
  bool hung = false;
  u64 from = 0;       // sequence of the checkpoint that it went on from
  u64 committed = 0;  // sequence of the last one that there is
  u64 polls = 0;
  u32 asked = 0;           // times that a checkpoint might have been due
  std::string path_fault;  // what is wrong with the counterexample

  bool decided() const { return status.ok() && outcome.stop == StopReason::none; }
};

ProcessEnd run_process(const Job& job, Card& card, const ProcessPlan& plan);

// Whether the answer is that of the undisturbed run; if not, in what it differs.
bool same_answer(const ProcessEnd& end, const SearchOutcome& wanted, std::string& difference);

}  // namespace xmc_test
