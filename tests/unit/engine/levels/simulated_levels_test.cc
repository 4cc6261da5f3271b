// Level searches whose owners are on a simulated network, against naive searches of random models
// (simulated_runs.h).
#include "engine/diagram/diagram_engine.h"
#include "simulated_runs.h"

using namespace xmc;
using namespace xmc_test;

namespace simulated_levels_test {

namespace {

constexpr const char* kDivided[] = {"explicit", "auto", "diagram"};

struct Levels final : Subject {
  explicit Levels(const char* engine) { name = engine; }
  bool is_explicit() const { return name == std::string("explicit"); }
  void prepare(Case& c, Engine& engine) override {
    const u64 leave_table = c.random() % 3 == 0 ? ~u64{0} : 1 + c.random() % 200;
    if (is_explicit()) static_cast<DiagramEngine&>(engine).hand_over_after(leave_table);
  }
  // `diagram` has nowhere to go when it is full.
  u64 extra(Case& c) override {
    const u64 extras[] = {0, 0, u64{1} << 16, u64{1} << 20};
    return name == std::string("diagram") ? u64{8} << 20 : extras[c.random() % 4];
  }
  // All engines, with any number of owners, find the same path.
  void check(Case& c, Trial& trial, Tally& tally) override {
    const SearchOutcome& outcome = trial.outcome;
    REQUIRE((outcome.violation != Violation::none) == (c.least >= 0));
    REQUIRE(outcome.complete == (c.options.full || c.least < 0));
    if (outcome.complete) check_figures(outcome, naive_figures(c.g), true);
    if (c.least < 0) return;
    REQUIRE(outcome.prefix_steps == static_cast<u64>(c.least));
    const std::vector<u32> path = engine_path(*trial.engine, c.g, outcome);
    REQUIRE(valid_path(c.g, path));
    if (tally.path.empty()) tally.path = path;
    REQUIRE(path == tally.path);
  }
  void note(Engine& engine, Tally& tally) override {
    if (is_explicit()) tally.spills += static_cast<DiagramEngine&>(engine).set().spills();
  }
};

}  // namespace

TEST_CASE("levels on a simulated network: stopped and killed anywhere, with any number of owners") {
  Tally tally;
  const u32 first = first_seed();
  const u32 last = first + rounds(120);
  for (u32 seed = first; seed < last; ++seed) {
    CAPTURE(seed);
    tally.path.clear();
    for (const char* name : kDivided) {
      CAPTURE(name);
      Case c(seed);
      Levels levels(name);
      search(c, levels, tally);
    }
  }
  MESSAGE("seeds " << first << " to " << last - 1 << ": " << tally.runs << " processes, "
                   << tally.stops << " stopped, " << tally.losses << " lost, " << tally.resumes
                   << " resumed, " << tally.again << " begun again, " << tally.spills << " spills");
  CHECK(tally.resumes > 0);
}

}  // namespace simulated_levels_test
