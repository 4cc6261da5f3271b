// `auto` with sets kept alive beside a search of states: in a share of its time, on a thread that
// never comes to it before it is waited for, and on a real one. Whoever is first has the answer of
// a naive search.
#include "engine/automatic/auto_engine.h"

#include <doctest/doctest.h>

#include <memory>

#include "flash_trial.h"
#include "symbolic/random_steps.h"
#include "thread_trial.h"

namespace auto_engine_test {

namespace {

using namespace xmc_test;

u64 ticks = 0;
u64 tick() { return ticks += 1000; }

#ifdef XMC_TEST_LIGHT
constexpr u32 kModels = 12;
#else
constexpr u32 kModels = 60;
#endif

struct Beside {
  AutoEngine engine;
  SearchOutcome outcome;
  std::unique_ptr<Region> region;

  void go(const Model& model, Parallel* parallel) {
    Disk disk;
    SearchOptions options;
    options.folder = &disk.folder;
    options.now_ns = tick;
    options.parallel = parallel;
    void* const same[] = {model.self, model.self, model.self};
    options.executors = same;
    AutoEngine::Limits limits;
    limits.table_states = 20;
    limits.set_work = 1;
    limits.plenty_bytes = 0;
    limits.portion = 3000;
    limits.irregular = 10'000;
    limits.share_beside = 10'000;
    engine.set_limits(limits);
    const u64 bytes = engine.minimum_bytes(model, options) + 600'000;
    region = std::make_unique<Region>(static_cast<std::size_t>(bytes + 4096));
    Arena arena(region->memory);
    REQUIRE(engine.plan(model, options, arena).ok());
    arena.seal();
    REQUIRE(engine.run(RunControl(), outcome).ok());
  }
};

struct Counts {
  u32 by_sets = 0;
  u32 by_states = 0;
};

void compare(RandomSteps& steps, const RandomSteps::Truth& truth, u32 thread_count, Counts& n) {
  Beside b;
  b.go(steps.model(), threads(thread_count));
  const bool bad = truth.first_bad != kNone;
  REQUIRE((b.outcome.violation != Violation::none) == bad);
  const bool sets = std::string_view(b.engine.decided_by()) == "symbolic";
  (sets ? n.by_sets : n.by_states) += 1;
  if (!bad || sets) {
    CHECK(b.outcome.complete);
    CHECK(b.outcome.stats.states == truth.level.size());
    CHECK(b.outcome.stats.deadlocks == truth.deadlocks);
  }
  if (!bad) return;
  REQUIRE(b.outcome.prefix_steps == truth.first_bad);
  Word last = 0;
  b.engine.path_state(b.outcome.prefix_steps, &last);
  CHECK(truth.level.at(steps.unpack(last)) == truth.first_bad);
}

TEST_CASE("sets beside states: the first to finish has the right answer") {
  // No thread, one that is late, and a real one.
  constexpr u32 kThreads[] = {1, kLazy, 2};
  Counts counts[3];
  u32 violated = 0;
  u32 models = 0;
  for (u32 seed = 0; models < kModels; ++seed) {
    CAPTURE(seed);
    std::mt19937 rng(seed);
    RandomSteps::Wish wish;
    wish.fields = 7;
    wish.values = 6;
    wish.steps = 8 + rng() % 12;
    wish.depth = 1 + rng() % 2;
    wish.predicates = rng() % 4 == 0 ? 1 : 0;
    RandomSteps steps(rng, wish);
    u64 most = 1;
    for (const u32 d : steps.domains) most *= d;
    if (most < 4000 || most > 40'000) continue;
    const RandomSteps::Truth truth = steps.explore(false);
    if (truth.level.size() < 3000) continue;
    ++models;
    violated += truth.first_bad != kNone;
    for (u32 i = 0; i < 3; ++i) compare(steps, truth, kThreads[i], counts[i]);
  }
  for (const Counts& n : counts) {
    MESSAGE(n.by_sets << " by sets, " << n.by_states << " by states");
    CHECK(n.by_states > kModels / 12);
  }
  CHECK((kModels < 60 || counts[0].by_sets > kModels / 12));
  CHECK(violated > 0);
}

}  // namespace

}  // namespace auto_engine_test
