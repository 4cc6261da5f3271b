// Step labels name the transitions that make the step, and predicates of the command line change no
// layout.
#include <doctest/doctest.h>

#include <set>

#include "fixture.h"

using namespace xmc;
using namespace xmc::test;

namespace steps_test {

namespace {

const char* const kPairs =
    "channel c; byte x;"
    "process A { state a; init a; trans a -> a { sync c!1; }, a -> a { guard x > 0; sync c!0; }; }"
    "process B { state a; init a; trans a -> a { sync c?x; }; }"
    "process C { state a, b; init a; trans a -> b { sync c?x; }, b -> a {}; } system async;";

}  // namespace

TEST_CASE("every step of a rendezvous decodes to its sender and its receiver") {
  Loaded m(kPairs);
  REQUIRE(m.status.ok());
  std::set<std::pair<u32, u32>> pairs;
  explore(m.model.model,
          [&](const auto&, const Expansion& e, const auto&, const std::vector<u32>& labels) {
            for (u32 k = 0; k < e.count; ++k) {
              const StepText step = m.model.text.step(m.model.text.self, labels[k]);
              REQUIRE(step.transition != kNone);
              CHECK(step.property == kNone);
              pairs.emplace(step.transition, step.partner);
            }
          });
  // Senders 0 and 1 of A, receivers 2 of B and 3 of C, and C's local step 4.
  const std::set<std::pair<u32, u32>> expected = {{0, 2}, {0, 3}, {1, 2}, {1, 3}, {4, kNone}};
  CHECK(pairs == expected);
}

TEST_CASE("a product's labels name the property's move, also when the system stutters") {
  Loaded m(
      "byte x; process P { state a, b; init a; trans a -> b { effect x = 1; }; }"
      "process X { state p, q; init p; accept q; trans p -> p {}, p -> q { guard x == 1; }, q -> q "
      "{}; }"
      "system async property X;");
  REQUIRE(m.status.ok());
  CHECK(m.model.model.buchi);
  std::set<std::pair<u32, u32>> steps;
  explore(m.model.model,
          [&](const auto&, const Expansion& e, const auto&, const std::vector<u32>& labels) {
            for (u32 k = 0; k < e.count; ++k) {
              const StepText step = m.model.text.step(m.model.text.self, labels[k]);
              steps.emplace(step.transition, step.property);
            }
          });
  const std::set<std::pair<u32, u32>> expected = {{0, 1}, {kNone, 1}, {kNone, 2}, {kNone, 3}};
  CHECK(steps == expected);
}

TEST_CASE("predicates of the command line leave the program as it was") {
  Loaded plain(kPairs, ErrorRule::report, true);
  Loaded with(kPairs, ErrorRule::report, true, "x < 200 and C.b", "x == 77");
  REQUIRE(plain.status.ok());
  REQUIRE(with.status.ok());
  CHECK(plain.model.program->hash == with.model.program->hash);
  CHECK(plain.model.program->state_bits == with.model.program->state_bits);
  CHECK(with.model.program->predicates.size() == 2);
}

TEST_CASE("deep expressions are refused with the limit, not by a crash") {
  std::string text =
      "byte x; process P { state a; init a; trans a -> a { effect x = 1; }, a -> a { guard x";
  for (u32 i = 0; i < 5000; ++i) text += " + x";
  text += " > 0; }; } system async;";
  Loaded m(text);
  CHECK_FALSE(m.status.ok());
  CHECK(m.status.code() == Code::model);
  CHECK(std::string(m.status.message()).find("1000") != std::string::npos);
}

}  // namespace steps_test
