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
  std::vector<LevelCounts> levels;  // as they were told

  Trial(const Model& model, const SearchOptions& options, std::size_t size,
        const SymbolicSearch::Choices& choices)
      : bytes(size + 128) {
    search.model = model;
    search.options = options;
    search.buffer_states = Search::buffer_states_for(model);
    buffer.resize(u64{search.buffer_states} * model.state_words);
    search.buffer = buffer.data();
    control = {this, [](void* self, const Progress& progress) {
                 if (progress.level_done) {
                   Trial& t = *static_cast<Trial*>(self);
                   CHECK(progress.level == t.levels.size());
                   t.levels.push_back(*progress.exact);
                 }
                 return StopReason::none;
               }};
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

// Each level has the states, and what was found with it, that a naive search has.
void check_levels(const Trial& t, const RandomSteps::Truth& truth, bool transitions) {
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
  u32 by_levels = 0;
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
    options.levels = round % 4 == 0;
    options.breadth_first = round % 5 == 0;
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
  CHECK(collections > kRounds / 150);
  CHECK(violated > kRounds / 4);
  CHECK(products > kRounds / 8);
  CHECK(stuttering > kRounds / 50);
  CHECK(by_levels > kRounds / 4);
}

}  // namespace
