// Reduced graphs of random models against the whole ones, and what becomes of them when the
// reduction forgets an obligation.
#include <doctest/doctest.h>

#include <cstdlib>

#include "step_models.h"
#include "stubborn_trial.h"

using namespace xmc;
using namespace xmc::test;

namespace stubborn_random_test {

namespace {

constexpr u32 kMost = 1500;  // states of a whole graph

struct Tally {
  u32 models = 0;
  u32 goals = 0;
  u32 verdicts = 0;
  u32 with_errors = 0;
  u32 shrunk = 0;
  u32 wrong_deadlocks = 0;
  u32 wrong_goals = 0;
  u32 wrong_depths = 0;
  u32 wrong_errors = 0;
  u32 wrong_verdicts = 0;
  u32 wrong_endings = 0;  // errors of products
  u64 full_states = 0;
  u64 reduced_states = 0;
  u32 wrong() const {
    return wrong_deadlocks + wrong_goals + wrong_depths + wrong_errors + wrong_verdicts +
           wrong_endings;
  }
};

void note(Tally& t, const Graph& full, const Graph& reduced) {
  t.full_states += full.number.size();
  t.reduced_states += reduced.number.size();
  t.shrunk += reduced.number.size() < full.number.size() ? 1 : 0;
}

// An error is found, at its depth if that is asked for.
bool same_error(const Graph& a, const Graph& b, bool exact) {
  return exact ? a.error == b.error : a.error.has_value() == b.error.has_value();
}

void check_deadlocks(const std::string& text, u32 faults, u32 table_faults, Tally& t) {
  for (const bool exact : {false, true}) {
    Reducible m(text);
    REQUIRE_MESSAGE(m.status.ok(), m.messages << text);
    const Graph full = graph_of(m.loaded.model, kMost);
    if (full.too_large) return;
    t.models += exact ? 1 : 0;
    t.with_errors += exact && full.error ? 1 : 0;
    const Model reduced = m.reduced(
        {.mode = StubbornMode::deadlock, .exact_errors = exact, .faults = faults}, table_faults);
    const Graph g = graph_of(reduced, kMost);
    note(t, full, g);
    if (g.deadlocks != full.deadlocks) ++t.wrong_deadlocks;
    if (!same_error(g, full, exact)) ++t.wrong_errors;
  }
}

void check_goal(const std::string& text, const std::string& goal, u32 faults, u32 table_faults,
                Tally& t) {
  for (const StubbornMode mode : {StubbornMode::shortest, StubbornMode::reach}) {
    for (const bool deadlocks : {false, true}) {
      Reducible m(text, goal);
      REQUIRE_MESSAGE(m.status.ok(), m.messages << text << goal);
      const Graph full = graph_of(m.loaded.model, kMost);
      if (full.too_large) return;
      ++t.goals;
      const bool shortest = mode == StubbornMode::shortest;
      const bool exact = shortest && (t.goals & 4) != 0;
      const StubbornRules rules{
          .mode = mode, .deadlocks = deadlocks, .exact_errors = exact, .faults = faults};
      const Graph g = graph_of(m.reduced(rules, table_faults), kMost);
      note(t, full, g);
      if (g.goal.has_value() != full.goal.has_value()) {
        ++t.wrong_goals;
      } else if (shortest && g.goal != full.goal) {
        ++t.wrong_depths;
      }
      if (deadlocks && shortest && g.deadlocks != full.deadlocks) ++t.wrong_deadlocks;
      if (deadlocks && g.deadlocks.size() != full.deadlocks.size()) ++t.wrong_deadlocks;
      if (!same_error(g, full, exact)) ++t.wrong_errors;
    }
  }
}

// Step by step, and by leaving out what was made: the same graph.
void check_halves(const std::string& text, const StubbornRules& rules) {
  Reducible halves(text);
  REQUIRE_MESSAGE(halves.status.ok(), halves.messages << text);
  Reducible filtered(text);
  const Graph a = graph_of(halves.reduced(rules), kMost);
  const Graph b = graph_of(filtered.reduced(rules, 0, false), kMost);
  if (a.too_large) return;
  CHECK_MESSAGE(a.next == b.next, text);
  CHECK(a.number == b.number);
  CHECK(a.accepting == b.accepting);
  CHECK(a.deadlocks == b.deadlocks);
  CHECK(a.error == b.error);
}

void check_property(const std::string& text, u32 faults, u32 table_faults, Tally& t) {
  Reducible m(text);
  REQUIRE_MESSAGE(m.status.ok(), m.messages << text);
  const Graph full = graph_of(m.loaded.model, 3 * kMost);
  if (full.too_large) return;
  ++t.verdicts;
  const Model reduced = m.reduced({.mode = StubbornMode::ltl, .faults = faults}, table_faults);
  const Graph g = graph_of(reduced, 3 * kMost);
  note(t, full, g);
  if (g.error.has_value() != full.error.has_value()) ++t.wrong_endings;
  if (full.error) return;
  if (g.has_accepting_cycle() != full.has_accepting_cycle()) ++t.wrong_verdicts;
}

// XMC_STEP_MODELS: as many models, and all that goes wrong is counted.
bool counts_all() { return std::getenv("XMC_STEP_MODELS") != nullptr; }

Tally trial(u32 first, u32 count, u32 faults, u32 table_faults = 0, bool until_ending = false) {
  Tally t;
  for (u32 seed = first; seed < first + count; ++seed) {
    const u32 before = t.wrong();
    StepModel model(seed);
    const std::string text = model.text();
    check_deadlocks(text + "system async;\n", faults, table_faults, t);
    std::string asked;
    for (u32 k = 0; k < 3; ++k) {
      const std::string goal = model.goal();
      asked += "goal " + goal + "\n";
      check_goal(text + "system async;\n", goal, faults, table_faults, t);
    }
    for (u32 k = 0; k < 3; ++k) {
      const std::string property = model.property(model.roll(StepModel::kShapes));
      asked += property;
      check_property(text + property + "system async property N;\n", faults, table_faults, t);
    }
    if (t.wrong() == before || counts_all() || (until_ending && t.wrong_endings == 0)) continue;
    MESSAGE("seed " << seed << ": deadlocks " << t.wrong_deadlocks << ", goals " << t.wrong_goals
                    << ", depths " << t.wrong_depths << ", errors " << t.wrong_errors
                    << ", verdicts " << t.wrong_verdicts << ", endings " << t.wrong_endings << "\n"
                    << text << asked);
    return t;
  }
  return t;
}

void print(const char* what, const Tally& t) {
  MESSAGE(doctest::String(what) << ": " << t.models << " models, " << t.with_errors
                                << " with errors, " << t.goals << " goals, " << t.verdicts
                                << " verdicts; wrong: " << t.wrong_deadlocks << " deadlocks, "
                                << t.wrong_goals << " goals, " << t.wrong_depths << " depths, "
                                << t.wrong_errors << " errors, " << t.wrong_verdicts
                                << " verdicts, " << t.wrong_endings
                                << " errors of products; states " << t.reduced_states << " of "
                                << t.full_states << ", smaller " << t.shrunk);
}

u32 wanted(u32 count) {
  const char* const more = std::getenv("XMC_STEP_MODELS");
  return more != nullptr ? static_cast<u32>(std::atoi(more)) : xmc_test::rounds(count);
}

}  // namespace

TEST_CASE("reduced graphs of random models answer as the whole ones") {
  const Tally t = trial(1, wanted(400), 0);
  print("as it is", t);
  CHECK(t.wrong() == 0);
  CHECK(t.shrunk > t.models);
}

TEST_CASE("steps that are taken one by one lead where those lead that are not left out") {
  for (u32 seed = 1; seed <= xmc_test::rounds(200); ++seed) {
    CAPTURE(seed);
    StepModel model(seed);
    const std::string text = model.text();
    check_halves(text + "system async;\n", {.mode = StubbornMode::deadlock});
    const std::string property = model.property(model.roll(StepModel::kShapes));
    check_halves(text + property + "system async property N;\n", {.mode = StubbornMode::ltl});
  }
}

TEST_CASE("a reduction that forgets something is found out") {
  struct Canary {
    const char* name;
    u32 faults;
    u32 table_faults;
    bool endings = false;  // it loses errors of products, too
  };
  const Canary canaries[] = {
      {"other visible steps", kForgetVisible, 0},
      {"an invisible step", kForgetInvisible, 0},
      {"sticky steps", kForgetSticky, 0, true},
      {"errors to come", kForgetErrors, 0, true},
      {"errors of the state", kForgetDryRun, 0, true},
      {"goals", kForgetGoals, 0},
      {"steps that falsify", kForgetFalsifying, 0},
      {"what enables a disabled step", kForgetDisabled, 0},
      {"what does not accord", kForgetDiscord, 0},
      {"commitment", 0, ir::kForgetCommitted},
      {"reads of a guard that may fail", 0, ir::kForgetFailingGuard},
  };
  // One in 700 models tells the last of them. A slow build has no time for as many.
  constexpr u32 kModels = 4000;
  if (!counts_all() && wanted(kModels) < kModels) return;
  for (const Canary& c : canaries) {
    const Tally t = trial(1, wanted(kModels), c.faults, c.table_faults, c.endings);
    print(c.name, t);
    CHECK_MESSAGE(t.wrong() > 0, doctest::String(c.name));
    CHECK_MESSAGE((!c.endings || t.wrong_endings > 0), doctest::String(c.name));
  }
}

}  // namespace stubborn_random_test
