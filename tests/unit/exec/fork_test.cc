// Two executors of one model, at the same time: each has scratch of its own.
#include <doctest/doctest.h>

#include <thread>

#include "exec/models/compare.h"
#include "fixture.h"

using namespace xmc;
using namespace xmc::test;

namespace fork_test {

namespace {

// A product, so that all of the machine's scratch is in use.
const char* const kText =
    "channel {byte} c[0]; byte x; byte y[3];"
    "process P { byte i; state a, b; init a; trans"
    " a -> b { guard x < 40; effect x = x + 1, i = (i + 1) % 3; },"
    " b -> a { sync c!i; effect y[i] = (y[i] + 1) % 4; }; }"
    "process Q { byte k; state q; init q; trans q -> q { sync c?k; effect x = x * 2 % 50; },"
    " q -> q { guard y[k % 3] > 1; effect y[k % 3] = 0; }; }"
    "process N { state n, m; init n; accept m; trans n -> n {}, n -> m { guard x == 7; },"
    " m -> m { guard y[0] < 3; }; }"
    "system async property N;";

// Everything that expanding all states gives, as one number.
u64 digest(const Model& m, void* self, const std::vector<StateKey>& states) {
  std::vector<Word> words(u64{m.max_successors} * m.state_words);
  std::vector<u32> labels(m.max_successors);
  u64 h = 1;
  for (const StateKey& state : states) {
    const Expansion e =
        m.expand(self, state.data(), {words.data(), labels.data(), m.max_successors});
    for (u64 i = 0; i < u64{e.count} * m.state_words; ++i) h = (h ^ words[i]) * 0x100'0000'01B3;
    for (u32 i = 0; i < e.count; ++i) h = (h ^ labels[i]) * 0x100'0000'01B3;
    h = (h ^ e.flags ^ e.violated ^ e.errors) * 0x100'0000'01B3;
  }
  return h;
}

void check_forks(const Model& m, Arena& arena) {
  const bool forks = m.fork != nullptr;
  REQUIRE(forks);
  void* const second = m.fork(m.self, arena);
  void* const third = m.fork(second, arena);
  CHECK(second != m.self);
  const std::vector<StateKey> states = explore(m).states;
  REQUIRE(states.size() > 100);
  const u64 expected = digest(m, m.self, states);
  for (u32 round = 0; round < 5; ++round) {
    u64 got[3] = {};
    std::thread a([&] { got[1] = digest(m, second, states); });
    std::thread b([&] { got[2] = digest(m, third, states); });
    got[0] = digest(m, m.self, states);
    a.join();
    b.join();
    for (const u64 value : got) REQUIRE(value == expected);
  }
}

}  // namespace

TEST_CASE("forks of a model expand alike, at the same time") {
  for (const char* invariant : {"", "x < 30"}) {
    Loaded m(kText, ErrorRule::report, false, invariant);
    REQUIRE(m.status.ok());
    check_forks(m.model.model, m.arena);
    check_forks(m.model.judge, m.arena);
    Model compared;
    make_compared(m.model.model, m.model.judge, m.arena, compared);
    check_forks(compared, m.arena);
  }
  Loaded fair(kText, ErrorRule::report, false, "", "", true);
  REQUIRE(fair.model.fair);
  check_forks(fair.model.model, fair.arena);
}

}  // namespace fork_test
