// How many threads a check has: as many as were asked for, or as many as the memory has room for.
// Their stacks and the blocks that they expand are paid from --ram, and an engine with too little
// left would be slower than one with fewer threads, or have no room for its files.
#include <algorithm>
#include <new>

#include "cli/run/check/team.h"
#include "engine/search/exchange.h"
#include "platform/machine.h"
#include "platform/memory.h"
#include "platform/thread_peers.h"
#include "platform/workers.h"
#include "xmc/bytes.h"
#include "xmc/check.h"
#include "xmc/text.h"

namespace xmc {

namespace {

// What threads may take of the memory that is left for the search.
constexpr u64 kMostShare = 2;
// Beside the least that an engine takes, for the few carves before it.
constexpr u64 kSpareShare = 8;

// Of the memory that the buffers between owners may take.
constexpr u64 kMailShare = 64;
// Beside the least that owners take, for their states: half as much.
constexpr u64 kOwnerShare = 2;
// With less for each owner of states in files its diagram is likely not to fit where one of all
// states does, because what they share is in each of them (bakery.5, CPU time of the slower one of
// two with 1.7, 2.2 and 2.7 MiB each: 7.3, 5.2 and 3.8 s; where one inserts beside one that expands
// 3.0, 2.9 and 2.9 s; on one thread 4.3, 3.3 and 3.3 s).
constexpr u64 kOwnerWorth = u64{5} << 19;
// Each of them may have two dozen files open, if any.
constexpr u32 kMostOwners = 8;

// So many threads, to ask an engine what it needs with them; they never run.
class CountedThreads final : public Parallel {
 public:
  explicit CountedThreads(u32 threads) : threads_(threads) {}
  u32 threads() const override { return threads_; }
  void submit(Job&) override { XMC_CHECK(false); }
  bool done(const Job&) override { return true; }
  void finish(Job&) override { XMC_CHECK(false); }
  void lock() override {}
  void unlock() override {}

 private:
  u32 threads_;
};

// Each of the others takes so many bytes beside what the engine has for it.
u32 threads_that_fit(const TeamJob& job, const SearchOptions& alone_search, u32 wanted,
                     u64 each_bytes) {
  SearchOptions search = alone_search;
  const u64 free = job.budget.arena().free_bytes();
  const u64 alone = job.engine.minimum_bytes(job.model, search);
  // A thread that does not get what an owner is worth takes more than it gives.
  const bool as_owners =
      job.engine.traits().threads_own && !job.was_divided && job.engine.divides(job.model, search);
  for (u32 threads = wanted; threads > 1; --threads) {
    if (as_owners && free / threads < kOwnerWorth + each_bytes) continue;
    CountedThreads counted(threads);
    search.parallel = &counted;
    const u64 least = job.engine.minimum_bytes(job.model, search);
    const u64 taken = (threads - 1) * each_bytes + least - alone;
    if (taken <= free / kMostShare && taken + alone + alone / kSpareShare <= free) return threads;
  }
  return 1;
}

// Threads are made here, before the seal. Without them the search is slower and nothing else.
void make_threads(const TeamJob& job, const SearchOptions& search, Team& team) {
  const u32 given = static_cast<u32>(job.asked.options().number(Opt::threads));
  const u32 wanted = given != 0 ? given : std::min(processor_count(), limits::kThreads);
  if (wanted == 1) return;
  Output& err = job.asked.session.err();
  const Model& model = job.model;
  const bool quiet = job.asked.given(Opt::quiet);
  const bool uses_threads = job.engine.traits().uses_threads;
  if (!uses_threads || model.fork == nullptr) {
    if (quiet) return;
    err.add("note      ").add(uses_threads ? "this model" : "engine ");
    err.add(uses_threads ? "" : job.engine.name()).add(" uses one thread only\n");
    return;
  }
  Arena& arena = job.budget.arena();
  u32 count = threads_that_fit(job, search, wanted, Workers::kStackBytes);
  if (count > 1) {
    const u64 before = arena.carved_bytes();
    team.executors[0] = model.fork(model.self, arena);
    const u64 forked = arena.carved_bytes() - before;
    count = threads_that_fit(job, search, count, Workers::kStackBytes + forked);
  }
  if (count < wanted && !quiet) {
    FixedText<32> ram;
    ram.bytes(job.budget.ram_limit());
    err.add("note      --ram ").add(ram.view()).add(" has room for ").number(count);
    err.add(count == 1 ? " thread, not " : " threads, not ").number(wanted).add('\n');
  }
  if (count == 1) return;
  // The C library maps the stacks; the arena goes without as many bytes, which are no longer
  // resident if the front end has used them.
  const u64 stacks = (count - 1) * Workers::kStackBytes;
  drop_pages(arena.carve_array<u8>("thread stacks", stacks, page_bytes()));
  const Status status = workers().start(count);
  if (!status.ok() && !quiet) err.add("note      ").add(status.message()).add('\n');
  team.threads = workers().threads();
  for (u32 i = 2; i < team.threads; ++i) team.executors[i - 1] = model.fork(model.self, arena);
}

// Owners have a search each. Where that leaves too little for states, one inserts what all expand;
// not so in a search for cycles, of which owners share much more than that.
bool owners_fit(const TeamJob& job, const SearchOptions& undivided, u32 count) {
  SearchOptions search = undivided;
  Peers* const nobody[limits::kThreads] = {};
  search.owners = {nobody, count};
  const u64 least = job.engine.minimum_bytes(job.model, search);
  const u64 free = job.budget.arena().free_bytes();
  const bool in_one_diagram = job.engine.traits().keeps_files && !job.model.buchi;
  if (in_one_diagram && !job.was_divided && free / count < kOwnerWorth) return false;
  return least + least / kOwnerShare + free / kMailShare + count * kPageBytes <= free;
}

// Each thread owns a part of the states, and they have lanes of buffers between them.
void plan_owners(const Model& model, u32 count, Arena& arena, Team& team) {
  constexpr u64 kMost = 16 << 10;
  const u64 least = Exchange::least_buffer_for(model);
  const u64 buffers = ThreadPeers::bytes_for(count, 1);
  const u64 fair = std::min(arena.free_bytes() / kMailShare / std::max<u64>(buffers, 1), kMost);
  const u32 bytes = static_cast<u32>(round_up(std::max(fair, least), kLineBytes));
  const std::span<u8> memory = arena.carve_array<u8>("mail", buffers * bytes, kLineBytes);
  ThreadPeers* const peers =
      ::new (arena.carve("mail", sizeof(ThreadPeers), alignof(ThreadPeers))) ThreadPeers();
  peers->start(count, bytes, memory);
  for (u32 i = 0; i < count; ++i) team.owners[i] = &peers->at(i);
  team.owner_count = count;
  team.shares = arena.carve_array<OwnerShare>("owners", count);
}

}  // namespace

Status plan_threads(const TeamJob& job, SearchOptions& search, Team& team) {
  make_threads(job, search, team);
  if (team.threads > 1) {
    search.parallel = &workers();
    search.executors = team.executors;
  }
  const bool divides = job.engine.divides(job.model, search);
  if (job.was_divided && !divides) {
    return Status::fail(Code::usage,
                        "the states of this run are divided among threads, which cannot count them "
                        "together for --states; leave that out");
  }
  if (!divides) return {};
  const bool files = job.engine.traits().keeps_files;
  const u32 owners = files ? std::min(team.threads, kMostOwners) : team.threads;
  if (owners > 1 && owners_fit(job, search, owners)) {
    plan_owners(job.model, owners, job.budget.arena(), team);
  } else if (job.was_divided) {
    plan_owners(job.model, 1, job.budget.arena(), team);
  }
  search.owners = {team.owners, team.owner_count};
  search.shares = team.shares;
  return {};
}

}  // namespace xmc
