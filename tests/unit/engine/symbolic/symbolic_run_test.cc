// Sets of states against a naive search, on random steps: in small memories, in portions of work,
// in every order, with and without projected steps.
#include "engine/symbolic/symbolic_run.h"

#include <doctest/doctest.h>

#include "symbolic/random_steps.h"

namespace {

using namespace xmc_test;

struct Trial {
  std::vector<u8> bytes;
  std::vector<Word> buffer;
  Search search;
  SearchOutcome outcome;
  RunControl control;
  SymbolicRun run;

  Trial(const Model& model, const SearchOptions& options, std::size_t size,
        const SymbolicSearch::Choices& choices)
      : bytes(size + 128) {
    search.model = model;
    search.options = options;
    search.buffer_states = Search::buffer_states_for(model);
    buffer.resize(u64{search.buffer_states} * model.state_words);
    search.buffer = buffer.data();
    search.control = &control;
    search.outcome = &outcome;
    outcome.stats.expansions = outcome.stats.transitions = 0;
    const std::size_t skip = 64 - reinterpret_cast<std::uintptr_t>(bytes.data()) % 64;
    run.begin(search, std::span<u8>(bytes).subspan(skip, size / 64 * 64), choices);
  }
  // False: there was no memory for it.
  bool finish(u64 portion) {
    while (!run.advance(portion)) {
      if (run.stop_reason() == SetDiagram::Stop::full) return false;
      CHECK(run.stop_reason() == SetDiagram::Stop::work);
      portion += portion / 2;  // or it would be done again and again
    }
    run.note_figures();
    return true;
  }
};

// The path is one of the model, and as short as can be.
void check_path(RandomSteps& steps, Trial& t, const RandomSteps::Truth& truth) {
  REQUIRE(t.outcome.prefix_steps == truth.first_bad);
  CHECK(t.outcome.minimal);
  Word before = 0;
  for (u64 i = 0; i <= t.outcome.prefix_steps; ++i) {
    Word state = 0;
    t.run.path_state(i, &state);
    REQUIRE(truth.level.at(steps.unpack(state)) == i);
    if (i > 0) CHECK(t.search.leads_to(&before, &state));
    before = state;
  }
}

void check(RandomSteps& steps, Trial& t, const RandomSteps::Truth& truth, bool product) {
  CHECK(t.outcome.complete);
  CHECK(t.outcome.stats.states == truth.level.size());
  CHECK(t.outcome.stats.deadlocks == truth.deadlocks);
  if (truth.erroneous == 0 && !product) CHECK(t.outcome.stats.transitions == truth.transitions);
  const bool bad = truth.first_bad != kNone;
  REQUIRE((t.outcome.violation != Violation::none) == bad);
  if (bad) check_path(steps, t, truth);
}

#ifdef XMC_TEST_LIGHT
constexpr u32 kRounds = 150;
#else
constexpr u32 kRounds = 2500;
#endif

TEST_CASE("random steps: the states, deadlocks, errors and shortest paths of a naive search") {
  u32 finished = 0;
  u64 collections = 0;
  u32 projected = 0;
  u32 violated = 0;
  u32 products = 0;
  u32 stuttering = 0;
  for (u32 round = 0; round < kRounds; ++round) {
    CAPTURE(round);
    std::mt19937 rng(round);
    RandomSteps::Wish wish;
    wish.fields = 2 + rng() % 7;
    wish.values = 2 + rng() % 5;
    wish.steps = 1 + rng() % 14;
    wish.depth = 1 + rng() % 4;
    wish.errors = rng() % 4 == 0;
    wish.product = rng() % 3 == 0;
    RandomSteps steps(rng, wish);
    SearchOptions options;
    if (!wish.product && rng() % 2 == 0) options.deadlock = DeadlockRule::stuttering;
    const RandomSteps::Truth truth = steps.explore(options.deadlock == DeadlockRule::stuttering);
    SymbolicSearch::Choices choices;
    choices.order = rng() % 3 == 0 ? kNone : rng() % OrderChoice::kCandidates;
    choices.first_states = rng() % 3 == 0 ? 1 : rng() % 2 == 0 ? 50 : 4000;
    choices.bounds.runs_at_once = rng() % 4 == 0 ? 0 : rng() % 3 == 0 ? 5 : 3000;
    choices.bounds.runs_in_all = rng() % 4 == 0 ? 20 : 60000;
    const Model model = steps.model();
    const u64 least = SymbolicSearch::least_bytes(model);
    const std::size_t size =
        static_cast<std::size_t>(least) + (rng() % 3 != 0 ? rng() % 4096 : rng() % 400'000);
    Trial t(model, options, size, choices);
    const u64 portion = rng() % 2 == 0 ? ~u64{0} / 4 : 50 + rng() % 2000;
    if (!t.finish(portion)) continue;
    ++finished;
    collections += t.run.sets().diagram().collections();
    projected += t.run.sets().projections();
    violated += t.outcome.violation != Violation::none;
    products += wish.product;
    stuttering += truth.stuttering != 0;
    check(steps, t, truth, wish.product);
  }
  MESSAGE("finished " << finished << ", projected " << projected << ", collections " << collections
                      << ", violated " << violated << ", products " << products << ", stuttering "
                      << stuttering);
  CHECK(finished > kRounds * 3 / 4);
  CHECK(projected > kRounds / 4);
  CHECK(collections > kRounds / 150);
  CHECK(violated > kRounds / 4);
  CHECK(products > kRounds / 8);
  CHECK(stuttering > kRounds / 50);
}

}  // namespace
