#include "engine/measure/sample.h"

#include <doctest/doctest.h>

#include "graph_models.h"

using namespace xmc;
using namespace xmc_test;

namespace sample_test {

namespace {

u64 g_now = 0;
u64 g_step = 0;
u64 ticking() { return g_now += g_step; }

// A ring with chords: `nodes` states, two steps each.
Graph ring(u32 nodes, u32 words = 1, u32 bytes = 8) {
  Graph g(nodes, words, bytes);
  for (u32 v = 0; v < nodes; ++v) g.edges[v] = {(v + 1) % nodes, (2 * v + 1) % nodes};
  return g;
}

Sample sample_of(const Model& model, const SampleLimits& limits = {}, u64 step_ns = 1000,
                 std::size_t bytes = 1 << 21, SearchOptions options = {}) {
  Region region(bytes);
  Arena arena(region.memory);
  g_now = 0;
  g_step = step_ns;
  options.now_ns = &ticking;
  const u64 before = arena.free_bytes();
  const Sample sample = take_sample(model, options, arena, limits);
  CHECK(arena.free_bytes() == before);
  return sample;
}

}  // namespace

TEST_CASE("a small space is sampled whole") {
  Graph g = ring(1000);
  const Sample sample = sample_of(g.model());
  CHECK(sample.complete);
  CHECK(sample.states == 1000);
  CHECK(sample.expansions == 1000);
  CHECK(sample.transitions == 2000);
  CHECK(sample.degree() == 2);
  CHECK(sample.per_second() > 0);
  CHECK(sample.violation == Violation::none);
}

TEST_CASE("a sample ends at its number of states, at its time, and with its memory") {
  Graph g = ring(20000);
  SampleLimits limits;
  limits.states = 5000;
  Sample sample = sample_of(g.model(), limits);
  CHECK_FALSE(sample.complete);
  CHECK(sample.states == 5000);
  CHECK(sample.stop == StopReason::state_limit);

  limits = {};
  limits.time_ns = 1;
  sample = sample_of(g.model(), limits);
  CHECK_FALSE(sample.complete);
  CHECK(sample.stop == StopReason::time_limit);
  CHECK(sample.states < 20000);

  sample = sample_of(g.model(), {}, 1000, 160 << 10);
  CHECK_FALSE(sample.complete);
  CHECK(sample.stop == StopReason::ram);
  CHECK(sample.states > 100);

  sample = sample_of(g.model(), {}, 1000, 64 << 10);
  CHECK(sample.states == 0);
  CHECK(sample.per_second() == 0);
  CHECK(sample.degree() == 0);

  SearchOptions few;
  few.state_limit = 70;
  CHECK(sample_of(g.model(), {}, 1000, 1 << 21, few).states == 70);
}

TEST_CASE("a violation is noted, and what comes after it is sampled, too") {
  Graph g = ring(1000);
  g.violated[3] = 0;
  const Sample sample = sample_of(g.model());
  CHECK(sample.violation == Violation::predicate);
  CHECK(sample.complete);
  CHECK(sample.expansions == 1000);
  CHECK(sample.degree() == 2);
}

TEST_CASE("bytes per state") {
  // All eight bytes differ from state to state, so a state takes its bytes and a mask.
  Graph random = ring(20000);
  const Sample wide = sample_of(random.model());
  CHECK(wide.in_order > 8.5);
  CHECK(wide.in_order <= 9.1);
  CHECK(wide.in_partitions > 8.5);
  CHECK(wide.in_partitions <= 9.1);
  CHECK(wide.in_table > 12);
  CHECK(wide.in_table < 13);
  // Numbers in order differ in a byte or two; in partitions in one more at times.
  Graph narrow(20000, 1, 2);
  for (u32 v = 0; v + 1 < 20000; ++v) narrow.edges[v] = {v + 1};
  SampleLimits limits;
  limits.time_ns = ~u64{0} / 2;
  const Sample small = sample_of(narrow.model(), limits);
  CHECK(small.states == 20000);
  CHECK(small.in_order >= 2);
  CHECK(small.in_order < 2.2);
  CHECK(small.in_partitions > small.in_order);
  CHECK(small.in_partitions < 3.2);
}

}  // namespace sample_test
