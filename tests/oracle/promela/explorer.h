// Explores a checked Promela model breadth-first, by the rules of the language and nothing else:
// steps are found by trying each statement on a copy of the state.
#pragma once

#include <string>
#include <vector>

#include "front/promela/system.h"
#include "tests/oracle/promela/machine.h"

namespace xmc::promela_test {

struct Found {
  u64 states = 0;
  u64 transitions = 0;
  u64 levels = 0;
  u64 deadlocks = 0;
  u64 accepting = 0;
  u64 stuck = 0;         // of a product: states in which the claim moves alone
  bool complete = true;  // the limit was not reached
  // Shortest numbers of steps; kNone: there is no such violation.
  u32 deadlock_steps = kNone;
  u32 assertion_steps = kNone;
  u32 error_steps = kNone;
  u32 claim_steps = kNone;
  u32 trace_steps = kNone;
  bool has_accepting_cycle = false;
  std::string error;
};

struct Question {
  u32 claim = kNone;            // a never claim of the system
  bool system_accepts = false;  // accept labels of processes count
  bool progress = false;        // look for cycles without progress
  bool cycles = false;
  u64 limit = 200000;
  // Told of every stored state (pid and keeper are kNone), and of every step: who moved, and who
  // keeps control.
  void (*visit)(void* self, const State& state, u32 pid, u32 keeper) = nullptr;
  void* visitor = nullptr;
};

Found explore(const promela::System& system, const Question& question);

}  // namespace xmc::promela_test
