// Sets of states against a naive search, on random steps: in small memories, in portions of work,
// in every order, with and without projected steps.
#include "symbolic/set_trial.h"

namespace symbolic_run_test {

namespace {

using namespace xmc_test;

// Each level has the states, and what was found with it, that a naive search has.
void check_levels(const SetTrial& t, const RandomSteps::Truth& truth, bool transitions) {
  std::vector<u64> sizes;
  for (const auto& [state, level] : truth.level) {
    if (level >= sizes.size()) sizes.resize(level + 1);
    ++sizes[level];
  }
  REQUIRE(t.outcome.stats.levels == sizes.size());
  REQUIRE(t.levels.size() == sizes.size());
  u64 known = sizes[0];
  WideCount steps;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    CHECK(t.levels[i].level_states == WideCount(sizes[i]));
    if (i + 1 < sizes.size()) known += sizes[i + 1];
    CHECK(t.levels[i].states == WideCount(known));
    steps.add(t.levels[i].level_transitions);
    if (transitions) CHECK(t.levels[i].transitions == steps);
  }
  CHECK(t.levels.back().has_transitions == transitions);
  if (transitions) CHECK(steps == WideCount(truth.transitions));
}

#ifdef XMC_TEST_LIGHT
constexpr u32 kRounds = 150;
#else
constexpr u32 kRounds = 1200;
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
    SetTrial t(model, options, size, choices);
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
  u32 by_levels = 0;
  for (u32 round = 0; round < kRounds; ++round) {
    CAPTURE(round);
    std::mt19937 rng(round);
    const RandomSteps::Wish wish = random_wish(rng);
    RandomSteps steps(rng, wish);
    SearchOptions options;
    if (!wish.product && rng() % 2 == 0) options.deadlock = DeadlockRule::stuttering;
    options.levels = round % 4 == 0;
    options.breadth_first = round % 5 == 0;
    const RandomSteps::Truth truth = steps.explore(options.deadlock == DeadlockRule::stuttering);
    const SymbolicSearch::Choices choices = random_choices(rng);
    const Model model = steps.model();
    const u64 least = SymbolicSearch::least_bytes(model);
    const std::size_t size =
        static_cast<std::size_t>(least) + (rng() % 3 != 0 ? rng() % 4096 : rng() % 400'000);
    SetTrial t(model, options, size, choices);
    const u64 portion = rng() % 2 == 0 ? ~u64{0} / 4 : 50 + rng() % 2000;
    if (!t.finish(portion)) continue;
    ++finished;
    if (options.levels || options.breadth_first) {
      check_levels(t, truth, options.levels && !wish.product && truth.erroneous == 0);
      ++by_levels;
    } else {
      CHECK(t.outcome.stats.levels == kNoFigure);
      CHECK(t.levels.empty());
    }
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
  CHECK(by_levels > kRounds / 4);
}

}  // namespace

}  // namespace symbolic_run_test
