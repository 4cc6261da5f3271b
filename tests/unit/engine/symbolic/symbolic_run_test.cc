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
  u32 stops = 0;

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
      ++stops;
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

// The lasso is one of the model, and goes through an accepting state.
void check_lasso(RandomSteps& steps, Trial& t) {
  REQUIRE(t.outcome.violation == Violation::accepting_cycle);
  REQUIRE(t.outcome.cycle_steps > 0);
  const u64 last = t.outcome.prefix_steps + t.outcome.cycle_steps;
  bool accepting = false;
  Word entry = 0;
  Word before = 0;
  for (u64 i = 0; i <= last; ++i) {
    Word state = 0;
    t.run.path_state(i, &state);
    if (i == 0) REQUIRE(steps.unpack(state) == steps.first);
    if (i > 0) REQUIRE(t.search.leads_to(&before, &state));
    if (i == t.outcome.prefix_steps) entry = state;
    if (i >= t.outcome.prefix_steps) accepting = accepting || steps.accepts(state);
    before = state;
  }
  CHECK(before == entry);
  CHECK(accepting);
}

void check(RandomSteps& steps, Trial& t, const RandomSteps::Truth& truth, bool product) {
  CHECK(t.outcome.complete);
  CHECK(t.outcome.stats.states == truth.level.size());
  CHECK(t.outcome.stats.deadlocks == truth.deadlocks);
  if (truth.erroneous == 0 && !product) CHECK(t.outcome.stats.transitions == truth.transitions);
  const bool bad = truth.first_bad != kNone;
  if (product && !bad && t.outcome.violation != Violation::none) return check_lasso(steps, t);
  REQUIRE((t.outcome.violation != Violation::none) == bad);
  if (bad) check_path(steps, t, truth);
}

#ifdef XMC_TEST_LIGHT
constexpr u32 kRounds = 150;
#else
constexpr u32 kRounds = 2500;
#endif

TEST_CASE("random products: an accepting cycle wherever there is one") {
  u32 finished = 0;
  u32 violated = 0;
  u32 stopped = 0;
  u64 rounds = 0;
  for (u32 round = 0; round < kRounds / 2; ++round) {
    CAPTURE(round);
    std::mt19937 rng(round + 77'000);
    RandomSteps::Wish wish;
    wish.fields = 3 + rng() % 5;
    wish.values = 2 + rng() % 4;
    wish.steps = 2 + rng() % 10;
    wish.depth = 1 + rng() % 4;
    wish.product = true;
    wish.predicates = 0;
    RandomSteps steps(rng, wish);
    SearchOptions options;
    options.deadlock = DeadlockRule::ignore;
    const RandomSteps::Truth truth = steps.explore(false);
    SymbolicSearch::Choices choices;
    choices.order = rng() % 3 == 0 ? kNone : rng() % OrderChoice::kCandidates;
    choices.bounds.runs_at_once = rng() % 4 == 0 ? 0 : 3000;
    const Model model = steps.model();
    const std::size_t size = static_cast<std::size_t>(SymbolicSearch::least_bytes(model)) +
                             (rng() % 3 != 0 ? rng() % 60'000 : rng() % 400'000);
    Trial t(model, options, size, choices);
    if (!t.finish(rng() % 2 == 0 ? ~u64{0} / 4 : 20 + rng() % 400)) continue;
    ++finished;
    stopped += t.stops;
    rounds += t.run.cycles().rounds();
    CHECK(t.outcome.complete);
    CHECK(t.outcome.stats.states == truth.level.size());
    CHECK(t.outcome.stats.accepting == truth.accepting);
    const bool cycle = steps.has_accepting_cycle(truth);
    violated += cycle;
    REQUIRE((t.outcome.violation != Violation::none) == cycle);
    if (cycle) check_lasso(steps, t);
  }
  MESSAGE("finished " << finished << ", violated " << violated << ", rounds " << rounds
                      << ", stopped " << stopped << " times");
  CHECK(finished > kRounds / 4);
  CHECK(violated > kRounds / 15);
  CHECK(violated < finished * 9 / 10);
  CHECK(stopped > kRounds / 10);
}

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
  CHECK((kRounds < 1000 || collections > kRounds / 150));
  CHECK(violated > kRounds / 4);
  CHECK(products > kRounds / 8);
  CHECK(stuttering > kRounds / 50);
}

}  // namespace
