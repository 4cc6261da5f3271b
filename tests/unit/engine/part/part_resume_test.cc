// `part` goes on with another amount of memory than it had: partitions that were made for more of
// it do not fit, and blocks of candidates have the size that they had.
#include "flash_trial.h"

using namespace xmc;
using namespace xmc_test;

namespace part_resume_test {

namespace {

// Stops at the poll with this number; never for 0.
struct StopAt {
  u32 left;
  RunControl control() {
    RunControl c;
    c.self = this;
    c.poll = [](void* self, const Progress&) {
      auto* const s = static_cast<StopAt*>(self);
      return s->left > 0 && --s->left == 0 ? StopReason::signal : StopReason::none;
    };
    return c;
  }
};

}  // namespace

TEST_CASE("part goes on with less memory, or with more") {
  const u64 kAmounts[] = {0, 96 << 10, 1 << 20, 6 << 20};
  u32 stopped = 0;
  for (u32 seed = 1; seed <= rounds(8); ++seed) {
    Graph g = random_graph(seed, 30'000 + 5'000 * seed, 4, 1 + seed % 3, 8 * (1 + seed % 3));
    const NaiveFigures f = naive_figures(g);
    for (const u64 first : kAmounts) {
      for (const u64 second : kAmounts) {
        if (first == second) continue;
        Disk disk;
        Checkpoints checkpoints(0);
        SearchOptions options = counting();
        options.checkpoints = &checkpoints;
        StopAt stop{8 + seed * 2};
        Trial run("part");
        INFO("seed ", seed, ", ", first, " and then ", second, " bytes beside the least");
        REQUIRE(run.go(g.model(), options, disk.folder, first, stop.control()).ok());
        if (run.outcome.complete) continue;
        ++stopped;
        Manifest from;
        REQUIRE(from.assign(checkpoints.last.text()));
        options.resume = &from;
        Trial again("part");
        const Status status = again.go(g.model(), options, disk.folder, second);
        INFO(status.message());
        REQUIRE(status.ok());
        check_figures(again.outcome, f, false);
      }
    }
  }
  CHECK(stopped > rounds(8));
}

TEST_CASE("a path of part is found after a resume with less memory") {
  Graph g = random_graph(7, 60'000, 3, 2, 16);
  const std::vector<int> level = naive_levels(g);
  u32 bad = g.size() - 1;
  while (level[bad] < 0) --bad;
  g.violated[bad] = 1;
  Disk disk;
  Checkpoints checkpoints(0);
  SearchOptions options = counting();
  options.full = false;
  options.checkpoints = &checkpoints;
  StopAt stop{10};
  Trial run("part");
  REQUIRE(run.go(g.model(), options, disk.folder, 4 << 20, stop.control()).ok());
  REQUIRE(run.outcome.stop == StopReason::signal);
  Manifest from;
  REQUIRE(from.assign(checkpoints.last.text()));
  options.resume = &from;
  Trial again("part");
  REQUIRE(again.go(g.model(), options, disk.folder, 0).ok());
  REQUIRE(again.outcome.violation == Violation::predicate);
  const std::vector<u32> path = engine_path(*again.engine, g, again.outcome);
  CHECK(valid_path(g, path));
  CHECK(path.back() == bad);
}

}  // namespace part_resume_test
