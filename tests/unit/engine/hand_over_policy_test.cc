#include "engine/hand_over_policy.h"

#include <doctest/doctest.h>

using namespace xmc;

namespace {

HandOverPolicy policy_with(double scan, double expand) {
  HandOverPolicy policy;
  policy.begin(0);
  policy.measured({scan, expand});
  return policy;
}

// The level at whose end a hand-over is due, when each has so many entries and repeats; or 0.
u32 due_after(HandOverPolicy policy, u64 entries, u64 recent, u64 repeats) {
  HandOverPolicy::Now now{entries, recent, 0};
  for (u32 level = 1; level <= 100; ++level) {
    now.repeats += repeats;
    if (policy.due(now)) return level;
    policy.level_done(now);
    now.entries += repeats;
  }
  return 0;
}

}  // namespace

TEST_CASE("a hand-over is due when the repeats have cost more than scans, and it, too") {
  // A level's scan takes 5,000, the hand-over 10,000, a repeat 40.
  const HandOverPolicy policy = policy_with(1, 10);
  CHECK(due_after(policy, 10'000, 5'000, 0) == 0);
  CHECK(due_after(policy, 10'000, 5'000, 120) == 0);
  CHECK(due_after(policy, 10'000, 5'000, 250) == 3);  // 5,000 more than the scan, then less
  CHECK(due_after(policy, 10'000, 5'000, 500) == 1);
  // Quicker expansions, slower scans.
  CHECK(due_after(policy_with(1, 2), 10'000, 5'000, 500) == 0);
  CHECK(due_after(policy_with(4, 10), 10'000, 5'000, 400) == 0);
}

TEST_CASE("while the table of disk would have all states every repeat counts") {
  CHECK(due_after(policy_with(1, 10), 10'000, 20'000, 10) > 20);
  CHECK(due_after(policy_with(1, 10), 10'000, 20'000, 10) < 30);
}

TEST_CASE("cheap levels pay the debt of others back") {
  HandOverPolicy policy = policy_with(1, 10);
  HandOverPolicy::Now now{10'000, 5'000, 0};
  for (u32 level = 0; level < 60; ++level) {
    now.repeats += level % 2 == 0 ? 250 : 0;
    CHECK_FALSE(policy.due(now));
    policy.level_done(now);
  }
}

TEST_CASE("repeats from before do not count") {
  HandOverPolicy policy;
  policy.begin(1'000'000);
  policy.measured({1, 10});
  const HandOverPolicy::Now now{10'000, 5'000, 1'000'000};
  CHECK_FALSE(policy.has_repeats(now));
  CHECK_FALSE(policy.due(now));
  CHECK(policy.has_repeats({10'000, 5'000, 1'000'001}));
}
