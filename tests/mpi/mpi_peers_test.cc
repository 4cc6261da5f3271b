// Owners that are MPI processes keep to the contract of Peers, and the divided search on them finds
// what one owner finds. Run by mpiexec: every process runs all cases, which are for as many owners
// as there are.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <vector>

#include "engine/graph_models.h"
#include "engine/ram/ram.h"
#include "platform/mpi_peers.h"
#include "platform/peers_conformance.h"

using namespace xmc;
using namespace xmc::test;
using namespace xmc_test;

namespace {

ProcessPeers* job = nullptr;

struct ProcessOwners {
  ProcessOwners(u32, u32 buffer_bytes) : memory(job->bytes_for(buffer_bytes) / 8) {
    job->start(buffer_bytes, {reinterpret_cast<u8*>(memory.data()), memory.size() * 8});
  }
  ProcessOwners(const ProcessOwners&) = delete;
  ProcessOwners& operator=(const ProcessOwners&) = delete;
  ~ProcessOwners() { CHECK(job->part(static_cast<int>(job->me()) + 7) == status); }
  static bool can_be(u32 count) { return count == job->count(); }
  template <class F>
  void run(F f) {
    f(*job);
  }
  std::vector<u64> memory;
  int status = 7;  // of process 0, at the end
};

// One owner's search of a graph: all of it, or the part of this process.
struct GraphRun {
  GraphRun(Graph& graph, const SearchOptions& given, Peers* peers)
      : region(1 << 21), arena(region.memory) {
    SearchOptions options = given;
    const Model model = graph.model();
    void* const executors[] = {model.self};
    Peers* const owners[] = {peers};
    options.executors = executors;
    if (peers != nullptr) options.owners = owners;
    REQUIRE(engine.plan(model, options, arena).ok());
    arena.seal();
    REQUIRE(engine.run({}, outcome).ok());
  }
  Region region;
  Arena arena;
  RamEngine engine;
  SearchOutcome outcome;
};

}  // namespace

TEST_CASE("mpi: everything arrives, in order, and level by level") {
  check_everything_arrives<ProcessOwners>();
}

TEST_CASE("mpi: values of all") { check_gather<ProcessOwners>(); }

TEST_CASE("mpi: a stop ends every wait, and the first reason counts") {
  check_stop<ProcessOwners>();
}

TEST_CASE("mpi: after a stop nobody waits for anybody") {
  check_stop_ends_waiting<ProcessOwners>();
}

TEST_CASE("mpi: one who never starts ends the search of the others") {
  for (u32 round = 0; round < 10; ++round) {
    const u32 absent = round % job->count();
    if (job->me() == absent) {
      job->stop(StopReason::ram);
      CHECK(job->stopped() == StopReason::ram);
      CHECK(job->part(65) == (absent == 0 ? 65 : 7));
      continue;
    }
    ProcessOwners owners(job->count(), round % 2 == 0 ? 64 : 65536);
    Talk talk(*job);
    bool on = true;
    while (on) on = talk.level() && talk.compare();
    CHECK(job->stopped() == StopReason::ram);
    if (absent == 0) owners.status = 65;
  }
}

TEST_CASE("mpi: the divided search finds what one owner finds") {
  for (u32 seed = 1; seed <= 40; ++seed) {
    Graph g = random_graph(seed, 20 + seed * 37, 1 + seed % 5);
    Random random(seed);
    for (u32 v = 0; v < g.size(); ++v) {
      if (random() % 250 == 0) g.violated[v] = random() % 4;
    }
    SearchOptions options;
    options.full = seed % 3 != 0;
    options.deadlock = seed % 2 == 0 ? DeadlockRule::stuck : DeadlockRule::ignore;
    // A single owner finishes the level of a violation, too, when it is one of a divided search.
    const GraphRun alone(g, options, nullptr);
    ProcessOwners owners(job->count(), 256);
    GraphRun shared(g, options, job);
    const SearchOutcome& outcome = shared.outcome;
    CAPTURE(seed);
    CHECK(outcome.stop == StopReason::none);
    CHECK(outcome.complete == alone.outcome.complete);
    CHECK((outcome.violation != Violation::none) == (alone.outcome.violation != Violation::none));
    const u64 mine[] = {outcome.stats.states, outcome.stats.transitions};
    std::vector<u64> all(std::size(mine) * job->count());
    REQUIRE(job->gather(mine, all).ok());
    if (job->me() != 0) continue;
    if (outcome.complete) {
      u64 states = 0;
      u64 transitions = 0;
      for (u32 i = 0; i < job->count(); ++i) {
        states += all[2 * i];
        transitions += all[2 * i + 1];
      }
      // The sums are those of all, or process 0 has them already.
      CHECK((states == alone.outcome.stats.states || mine[0] == alone.outcome.stats.states));
      CHECK((transitions == alone.outcome.stats.transitions ||
             mine[1] == alone.outcome.stats.transitions));
      CHECK(outcome.stats.levels == alone.outcome.stats.levels);
    }
    if (outcome.violation == Violation::none) continue;
    CHECK(outcome.prefix_steps == alone.outcome.prefix_steps);
    CHECK(valid_path(g, engine_path(shared.engine, g, outcome)));
  }
}

// What anybody has found wrong is an error of the job.
int main(int argc, char** argv) {
  Result<ProcessPeers*> begun = begin_mpi(argc, argv);
  if (!begun.ok()) return 1;
  job = begun.value();
  doctest::Context context(argc, argv);
  const u64 mine[] = {context.run() == 0 ? u64{0} : 1};
  std::vector<u64> all(job->count());
  std::vector<u64> memory(job->bytes_for(64) / 8);
  job->start(64, {reinterpret_cast<u8*>(memory.data()), memory.size() * 8});
  u64 failed = job->gather(mine, all).ok() ? 0 : 1;
  for (const u64 one : all) failed += one;
  return job->end(failed == 0 ? 0 : 1);
}
