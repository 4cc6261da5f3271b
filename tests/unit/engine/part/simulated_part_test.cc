// `part` whose owners are on a simulated network, against naive searches of random models
// (simulated_runs.h): partitions of each owner, in as little memory as there may be.
#include "engine/part/part.h"
#include "simulated_runs.h"

using namespace xmc;
using namespace xmc_test;

namespace simulated_part_test {

namespace {

struct Part final : Subject {
  Part() { name = "part"; }
  u64 extra(Case& c) override {
    const u64 extras[] = {0, 0, u64{1} << 16, u64{1} << 20};
    return extras[c.random() % 4];
  }
  // There are no levels, and a path may be any.
  void check(Case& c, Trial& trial, Tally&) override {
    const SearchOutcome& outcome = trial.outcome;
    REQUIRE((outcome.violation != Violation::none) == (c.least >= 0));
    REQUIRE(outcome.complete == (c.options.full || c.least < 0));
    if (outcome.complete) check_figures(outcome, naive_figures(c.g), false);
    if (c.least < 0) return;
    const std::vector<u32> path = engine_path(*trial.engine, c.g, outcome);
    REQUIRE(valid_path(c.g, path));
    const u32 last = path.back();
    const bool bad = outcome.violation == Violation::deadlock ? c.g.edges[last].empty()
                                                              : c.g.violated[last] != kNone;
    REQUIRE(bad);
  }
  void note(Engine& engine, Tally& tally) override {
    tally.activations += static_cast<PartEngine&>(engine).activations();
  }
};

}  // namespace

TEST_CASE("part on a simulated network: stopped and killed anywhere, with any number of owners") {
  Tally tally;
  const u32 first = first_seed();
  const u32 last = first + rounds(120);
  for (u32 seed = first; seed < last; ++seed) {
    CAPTURE(seed);
    Case c(seed, seed % 4 == 0 ? 20 : 4);
    Part part;
    search(c, part, tally);
  }
  MESSAGE("seeds " << first << " to " << last - 1 << ": " << tally.runs << " processes, "
                   << tally.stops << " stopped, " << tally.losses << " lost, " << tally.resumes
                   << " resumed, " << tally.divided_anew << " divided anew, " << tally.again
                   << " begun again, " << tally.activations << " activations");
  CHECK(tally.divided_anew > 0);
}

}  // namespace simulated_part_test
