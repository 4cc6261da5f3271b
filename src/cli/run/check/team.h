// Team: who searches. Threads of this process expand states, or own a part of them each; processes
// own a part each.
#pragma once

#include <span>

#include "cli/run/budget.h"
#include "cli/run/check/asked.h"
#include "xmc/engine.h"
#include "xmc/limits.h"

namespace xmc {

struct Team {
  u32 threads = 1;                         // that the search uses
  void* executors[limits::kThreads] = {};  // of the others, from 1 on
  Peers* owners[limits::kThreads] = {};    // where the search is divided
  u32 owner_count = 0;
  std::span<OwnerShare> shares;  // of all owners, here and elsewhere
};

// The rest of what a team is planned for.
struct TeamJob {
  const Asked& asked;
  Engine& engine;
  const Model& model;
  Budget& budget;
  // The run goes on from what several owners have left, which one owner has to take over.
  bool was_divided = false;
  u64 program_hash = 0;
};

// The search has the team from then on. As many threads as were asked for, or as the memory has
// room for (plan_threads.cc).
Status plan_threads(const TeamJob& job, SearchOptions& search, Team& team);
// One owner in each process (plan_peers.cc).
Status plan_peers(const TeamJob& job, ProcessPeers& peers, SearchOptions& search, Team& team);

// What choices count on that change the states: of processes that share a search the least.
Result<u64> least_memory(ProcessPeers* peers, u64 own_bytes);
// To the first process: what all of them took.
Status add_up_processes(Session& session, const Team& team);

}  // namespace xmc
