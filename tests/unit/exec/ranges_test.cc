// The range analysis: it must never exclude a value that occurs, and it should find the obvious
// bounds.
#include <doctest/doctest.h>

#include "exec/models/compare.h"
#include "fixture.h"

using namespace xmc;
using namespace xmc::test;

namespace ranges_test {

namespace {

const ir::Variable& variable(const Loaded& m, std::string_view name) {
  for (const ir::Variable& v : m.model.program->variables) {
    if (v.name == name) return v;
  }
  FAIL("no variable of this name: " << std::string(name));
  return m.model.program->variables[0];
}

bool has_variable(const Loaded& m, std::string_view name) {
  for (const ir::Variable& v : m.model.program->variables) {
    if (v.name == name) return true;
  }
  return false;
}

}  // namespace

TEST_CASE("a guarded counter is as wide as its bound") {
  const Loaded m(
      "byte x; process P { state a; init a; trans a -> a { guard x < 5; effect x = x + 1; },"
      " a -> a { guard x == 5; effect x = 0; }; } system async;");
  REQUIRE(m.status.ok());
  CHECK(variable(m, "x").lo == 0);
  CHECK(variable(m, "x").hi == 5);
  CHECK(m.model.program->state_bits == 3);
  CHECK_FALSE(m.model.program->may_error);
}

TEST_CASE("a bound tested one location earlier protects a local variable") {
  const Loaded m(
      "process P { byte j = 1; state a, b; init a; trans a -> b { guard j < 3; },"
      " b -> a { effect j = j + 1; }; } system async;");
  REQUIRE(m.status.ok());
  CHECK(variable(m, "j").lo == 1);
  CHECK(variable(m, "j").hi == 3);
  CHECK_FALSE(m.model.program->may_error);
}

TEST_CASE("an unguarded counter may overflow and keeps its type") {
  const Loaded m(
      "byte x; process P { state a; init a; trans a -> a { effect x = x + 1; }; } system async;");
  REQUIRE(m.status.ok());
  CHECK(variable(m, "x").hi == 255);
  CHECK(m.model.program->may_error);
}

TEST_CASE("variables that never change take no bits and no slot") {
  const Loaded m(
      "byte k = 7; byte t[3] = {4, 5, 6}; byte x; process P { state a; init a;"
      " trans a -> a { guard x != t[2]; effect x = t[x % 3] + k - k; }; } system async;");
  REQUIRE(m.status.ok());
  CHECK_FALSE(has_variable(m, "k"));
  CHECK_FALSE(has_variable(m, "t"));
  CHECK(variable(m, "x").hi == 6);
}

TEST_CASE("locations that cannot be reached take no bits") {
  const Loaded m(
      "process P { state a, b, c, d, e; init a; trans a -> b {}, b -> a {}, d -> e {}; } system "
      "async;");
  REQUIRE(m.status.ok());
  CHECK(m.model.program->state_bits == 1);
}

TEST_CASE("the error state is inside the ranges when it is asked for") {
  const char* text =
      "byte x = 9; process P { state a, b; init b; trans b -> b { guard x < 12; effect x = x + 1; "
      "},"
      " b -> a { guard x == 12; effect x = x * 100; }; }"
      " process Q { byte y = 3; state p, q; init q; trans q -> q { guard y < 5; effect y = y + 1; "
      "},"
      " p -> q { effect y = y + 7; }; } system async;";
  const Loaded report(text);
  REQUIRE(report.status.ok());
  CHECK(variable(report, "x").lo == 9);
  for (const ErrorRule rule : {ErrorRule::beem, ErrorRule::stop}) {
    Loaded m(text, rule);
    REQUIRE(m.status.ok());
    CHECK(m.model.program->error_state);
    CHECK(variable(m, "x").lo == 0);
    Model compared;
    make_compared(m.model.model, m.model.judge, m.arena, compared);
    u64 error_states = 0;
    explore(compared, [&](const auto&, const Expansion& e, const auto&, const auto&) {
      error_states += (e.flags & kErrorState) != 0 ? 1 : 0;
    });
    // Under beem process Q goes on from location p with y = 0: q with y = 7 follows.
    CHECK(error_states == (rule == ErrorRule::stop ? 1 : 2));
  }
}

TEST_CASE("the index of a received element is that of the source state") {
  Loaded m(
      "channel {byte, byte} c[0]; byte a[4]; byte i = 1;"
      "process S { state s, t; init s; trans s -> t { sync c!{3, 9}; }; }"
      "process R { state s, t; init s; trans s -> t { sync c?{i, a[i]}; }; } system async;");
  REQUIRE(m.status.ok());
  Model compared;
  make_compared(m.model.model, m.model.judge, m.arena, compared);
  const Explored e = explore(compared);
  REQUIRE(e.states.size() == 2);
  for (const VariableText& v : m.model.text.variables) {
    const i32 value = slot_value(v.slot, e.states[1].data());
    if (v.name == "i") CHECK(value == 3);
    if (v.name == "a[1]") CHECK(value == 9);
    if (v.name == "a[3]") CHECK(value == 0);
  }
}

TEST_CASE("a property's effects see what the system's step changed, not what its guard tested") {
  Loaded m(
      "byte k = 1; process P { state a, b; init a; trans a -> b { effect k = 2; }; }"
      "process X { int t[3]; state x, y; init x; accept y;"
      " trans x -> y { guard k == 1; effect t[k + 1] = 1; }; } system async property X;");
  REQUIRE(m.status.ok());
  CHECK(m.model.program->may_error);
  Model compared;
  make_compared(m.model.model, m.model.judge, m.arena, compared);
  const Explored e = explore(compared);
  CHECK(e.states.size() == 1);
  CHECK(e.errors == 1);
}

}  // namespace ranges_test
