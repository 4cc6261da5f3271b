// Searches with sets of random steps, and what they have to find.
#pragma once

#include <doctest/doctest.h>

#include "engine/symbolic/symbolic_run.h"
#include "symbolic/random_steps.h"

namespace xmc_test {

struct SetTrial {
  std::vector<u8> bytes;
  std::vector<Word> buffer;
  Search search;
  SearchOutcome outcome;
  RunControl control;
  SymbolicRun run;
  u32 stops = 0;
  std::vector<LevelCounts> levels;  // as they were told

  std::span<u8> memory;

  // Nothing is begun.
  SetTrial(const Model& model, const SearchOptions& options, std::size_t size) : bytes(size + 128) {
    search.model = model;
    search.options = options;
    search.buffer_states = Search::buffer_states_for(model);
    buffer.resize(u64{search.buffer_states} * model.state_words);
    search.buffer = buffer.data();
    control = {this, [](void* self, const Progress& progress) {
                 if (progress.level_done) {
                   SetTrial& t = *static_cast<SetTrial*>(self);
                   CHECK(progress.level == t.levels.size());
                   t.levels.push_back(*progress.exact);
                 }
                 return StopReason::none;
               }};
    search.control = &control;
    search.outcome = &outcome;
    const std::size_t skip = 64 - reinterpret_cast<std::uintptr_t>(bytes.data()) % 64;
    memory = std::span<u8>(bytes).subspan(skip, size / 64 * 64);
  }
  SetTrial(const Model& model, const SearchOptions& options, std::size_t size,
           const SymbolicSearch::Choices& choices)
      : SetTrial(model, options, size) {
    outcome.stats.expansions = outcome.stats.transitions = 0;
    run.begin(search, memory, choices);
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

inline RandomSteps::Wish random_wish(std::mt19937& rng) {
  RandomSteps::Wish wish;
  wish.fields = 2 + rng() % 7;
  wish.values = 2 + rng() % 5;
  wish.steps = 1 + rng() % 14;
  wish.depth = 1 + rng() % 4;
  wish.errors = rng() % 4 == 0;
  wish.product = rng() % 3 == 0;
  return wish;
}

inline SymbolicSearch::Choices random_choices(std::mt19937& rng) {
  SymbolicSearch::Choices choices;
  choices.order = rng() % 3 == 0 ? kNone : rng() % OrderChoice::kCandidates;
  choices.first_states = rng() % 3 == 0 ? 1 : rng() % 2 == 0 ? 50 : 4000;
  choices.bounds.runs_at_once = rng() % 4 == 0 ? 0 : rng() % 3 == 0 ? 5 : 3000;
  choices.bounds.runs_in_all = rng() % 4 == 0 ? 20 : 60000;
  return choices;
}

// The path is one of the model, and as short as can be.
inline void check_path(RandomSteps& steps, SetTrial& t, const RandomSteps::Truth& truth) {
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
inline void check_lasso(RandomSteps& steps, SetTrial& t) {
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

inline void check(RandomSteps& steps, SetTrial& t, const RandomSteps::Truth& truth, bool product) {
  CHECK(t.outcome.complete);
  CHECK(t.outcome.stats.states == truth.level.size());
  CHECK(t.outcome.stats.deadlocks == truth.deadlocks);
  if (truth.erroneous == 0 && !product) CHECK(t.outcome.stats.transitions == truth.transitions);
  const bool bad = truth.first_bad != kNone;
  const bool cycle = product && !bad && steps.has_accepting_cycle(truth);
  REQUIRE((t.outcome.violation != Violation::none) == (bad || cycle));
  if (bad) check_path(steps, t, truth);
  if (cycle) check_lasso(steps, t);
}

}  // namespace xmc_test
