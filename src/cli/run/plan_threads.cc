// How many threads a check has: as many as were asked for, or as many as the memory has room for.
// Their stacks and the blocks that they expand are paid from --ram, and an engine with too little
// left would be slower than one with fewer threads, or have no room for its files.
#include <algorithm>
#include <new>

#include "cli/run/check_run.h"
#include "engine/search/exchange.h"
#include "platform/machine.h"
#include "platform/memory.h"
#include "platform/thread_peers.h"
#include "platform/workers.h"
#include "xmc/bytes.h"
#include "xmc/check.h"

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

}  // namespace

// Each of the others takes so many bytes beside what the engine has for it.
u32 CheckRun::threads_that_fit(u32 wanted, u64 each_bytes) {
  const u64 free = budget_.arena().free_bytes();
  SearchOptions search = search_options();
  const u64 alone = engine_->minimum_bytes(model_.model, search);
  // A thread that does not get what an owner is worth takes more than it gives.
  const bool as_owners =
      engine_->traits().threads_own && !was_divided() && engine_->divides(model_.model, search);
  for (u32 threads = wanted; threads > 1; --threads) {
    if (as_owners && free / threads < kOwnerWorth + each_bytes) continue;
    CountedThreads counted(threads);
    search.parallel = &counted;
    const u64 least = engine_->minimum_bytes(model_.model, search);
    const u64 taken = (threads - 1) * each_bytes + least - alone;
    if (taken <= free / kMostShare && taken + alone + alone / kSpareShare <= free) return threads;
  }
  return 1;
}

// Whether the run goes on from what several owners have left, which one owner has to take over.
bool CheckRun::was_divided() const {
  if (resumed_ == nullptr) return false;
  if (shared_.divides_anew()) return true;
  const Result<u64> owners = resumed_->number("owners");
  return (owners.ok() && owners.value() > 1) || resumed_->has("division");
}

Status CheckRun::plan_threads() {
  make_threads();
  const bool divides = engine_->divides(model_.model, search_options());
  if (was_divided() && !divides) {
    return Status::fail(Code::usage,
                        "the states of this run are divided among threads, which cannot count them "
                        "together for --states; leave that out");
  }
  if (!divides) return {};
  const bool files = engine_->traits().keeps_files;
  const u32 owners = files ? std::min(threads_.count, kMostOwners) : threads_.count;
  if (owners > 1 && owners_fit(owners)) {
    plan_owners(owners);
  } else if (was_divided()) {
    plan_owners(1);
  }
  return {};
}

// Owners have a search each. Where that leaves too little for states, one inserts what all expand;
// not so in a search for cycles, of which owners share much more than that.
bool CheckRun::owners_fit(u32 count) {
  Peers* const nobody[limits::kThreads] = {};
  SearchOptions search = search_options();
  search.owners = {nobody, count};
  const u64 least = engine_->minimum_bytes(model_.model, search);
  const u64 free = budget_.arena().free_bytes();
  const bool in_one_diagram = engine_->traits().keeps_files && !model_.model.buchi;
  if (in_one_diagram && !was_divided() && free / count < kOwnerWorth) return false;
  return least + least / kOwnerShare + free / kMailShare + count * kPageBytes <= free;
}

// Threads are made here, before the seal. Without them the search is slower and nothing else.
void CheckRun::make_threads() {
  const u32 given = static_cast<u32>(session_.options.number(Opt::threads));
  const u32 wanted = given != 0 ? given : std::min(processor_count(), limits::kThreads);
  if (wanted == 1) return;
  Output& err = session_.err();
  const Model& model = model_.model;
  const bool quiet = session_.options.given(Opt::quiet);
  if (!engine_->traits().uses_threads || model.fork == nullptr) {
    if (quiet) return;
    err.add("note      ").add(engine_->traits().uses_threads ? "this model" : "engine ");
    err.add(engine_->traits().uses_threads ? "" : engine_->name()).add(" uses one thread only\n");
    return;
  }
  Arena& arena = budget_.arena();
  u32 count = threads_that_fit(wanted, Workers::kStackBytes);
  if (count > 1) {
    const u64 before = arena.carved_bytes();
    threads_.executors[0] = model.fork(model.self, arena);
    count = threads_that_fit(count, Workers::kStackBytes + arena.carved_bytes() - before);
  }
  if (count < wanted && !quiet) {
    FixedText<32> ram;
    ram.bytes(budget_.ram_limit());
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
  threads_.count = workers().threads();
  for (u32 i = 2; i < threads_.count; ++i)
    threads_.executors[i - 1] = model.fork(model.self, arena);
}

// Each thread owns a part of the states, and they have lanes of buffers between them.
void CheckRun::plan_owners(u32 count) {
  constexpr u64 kMost = 16 << 10;
  Arena& arena = budget_.arena();
  const u64 least = Exchange::least_buffer_for(model_.model);
  const u64 buffers = ThreadPeers::bytes_for(count, 1);
  const u64 fair = std::min(arena.free_bytes() / kMailShare / std::max<u64>(buffers, 1), kMost);
  const u32 bytes = static_cast<u32>(round_up(std::max(fair, least), kLineBytes));
  const std::span<u8> memory = arena.carve_array<u8>("mail", buffers * bytes, kLineBytes);
  ThreadPeers* const peers =
      ::new (arena.carve("mail", sizeof(ThreadPeers), alignof(ThreadPeers))) ThreadPeers();
  peers->start(count, bytes, memory);
  for (u32 i = 0; i < count; ++i) threads_.owners[i] = &peers->at(i);
  threads_.owner_count = count;
  threads_.shares = arena.carve_array<OwnerShare>("owners", count);
}

}  // namespace xmc
