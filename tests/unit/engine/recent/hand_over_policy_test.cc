#include "engine/recent/hand_over_policy.h"

#include <doctest/doctest.h>

using namespace xmc;

namespace hand_over_policy_test {

namespace {

HandOverPolicy policy_with(double scan, double expand) {
  HandOverPolicy policy;
  policy.begin({});
  policy.measured({scan, expand});
  return policy;
}

// The level in which a hand-over is due, when each brings so many repeats and new states; or 0.
u32 due_in(HandOverPolicy policy, u64 recent, u64 repeats, u64 fresh = 1) {
  HandOverPolicy::Now now{10'000, recent, 0, 0};
  for (u32 level = 1; level <= 100; ++level) {
    now.repeats += repeats;
    now.fresh += fresh;
    if (policy.due(now)) return level;
    policy.level_done(now);
  }
  return 0;
}

}  // namespace

TEST_CASE("a hand-over is due when the repeats have cost more than scans, and it, too") {
  // A level's scan takes 5,000, the hand-over 10,000, a repeat 60.
  const HandOverPolicy policy = policy_with(1, 10);
  CHECK(due_in(policy, 5'000, 0) == 0);
  CHECK(due_in(policy, 5'000, 83) == 0);
  CHECK(due_in(policy, 5'000, 150) == 3);  // 4,000 more than the scan each time
  CHECK(due_in(policy, 5'000, 251) == 1);
  // Quicker expansions, slower scans.
  CHECK(due_in(policy_with(1, 3), 5'000, 251) == 0);
  CHECK(due_in(policy_with(4, 10), 5'000, 251) == 0);
}

TEST_CASE("disk would not scan while its table has all states, or where nothing is new") {
  CHECK(due_in(policy_with(1, 10), 20'000, 10) == 17);
  CHECK(due_in(policy_with(1, 10), 5'000, 10) == 0);
  CHECK(due_in(policy_with(1, 10), 5'000, 10, 0) == 18);
}

TEST_CASE("cheap levels pay the debt of others back") {
  HandOverPolicy policy = policy_with(1, 10);
  HandOverPolicy::Now now{10'000, 5'000, 0, 0};
  for (u32 level = 0; level < 60; ++level) {
    now.repeats += level % 2 == 0 ? 150 : 0;
    ++now.fresh;
    CHECK_FALSE(policy.due(now));
    policy.level_done(now);
  }
}

TEST_CASE("repeats from before do not count") {
  HandOverPolicy policy;
  const HandOverPolicy::Now now{10'000, 5'000, 1'000'000, 0};
  policy.begin(now);
  policy.measured({1, 10});
  CHECK_FALSE(policy.has_repeats(now));
  CHECK_FALSE(policy.due(now));
  CHECK(policy.has_repeats({10'000, 5'000, 1'000'001, 0}));
}

}  // namespace hand_over_policy_test
