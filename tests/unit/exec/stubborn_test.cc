// Small models on which a reduction goes wrong that forgets one of its obligations, each with the
// mistake that it is there for.
#include <doctest/doctest.h>

#include "ir/tables/stutter.h"
#include "stubborn_trial.h"

using namespace xmc;
using namespace xmc::test;

namespace stubborn_test {

namespace {

constexpr const char* kLoop = "process A { state a; init a; trans a -> a {}; }\n";
constexpr const char* kOnce = "process C { state c0, c1; init c0; trans c0 -> c1 {}; }\n";
constexpr const char* kNever =
    "process N { state n, m; init n; accept m; trans n -> n { guard not C.c1; },"
    " n -> m { guard C.c1; }, m -> m {}; }\nsystem async property N;\n";
constexpr const char* kEventually =
    "process N { state n; init n; accept n; trans n -> n { guard not C.c1; }; }\n"
    "system async property N;\n";

bool violated(const std::string& text, u32 faults) {
  Reducible m(text);
  REQUIRE_MESSAGE(m.status.ok(), m.messages);
  CHECK(graph_of(m.loaded.model, 1000).has_accepting_cycle());
  const Model reduced = m.reduced({.mode = StubbornMode::ltl, .faults = faults});
  return graph_of(reduced, 1000).has_accepting_cycle();
}

u32 sticky_count(const std::string& text) {
  Reducible m(text);
  REQUIRE(m.status.ok());
  m.reduced({.mode = StubbornMode::ltl});
  return m.tables.sticky_count;
}

Graph searched(const std::string& text, StubbornRules rules, const std::string& goal = "",
               u32 table_faults = 0) {
  Reducible m(text + "system async;\n", goal);
  REQUIRE_MESSAGE(m.status.ok(), m.messages);
  return graph_of(m.reduced(rules, table_faults), 1000);
}

}  // namespace

TEST_CASE("nothing is put off for ever by a loop of one process") {
  const std::string text = std::string(kLoop) + kOnce;
  CHECK(violated(text + kNever, 0));
  CHECK_FALSE(violated(text + kNever, kForgetSticky));
  // Two ways to the goal are more than one loop.
  const std::string two = std::string(kLoop) +
                          "process C { byte b; state c0, c1; init c0; trans c0 -> c1 {}, c0 -> c1 "
                          "{ effect b = 1; }; }\n";
  const StubbornRules rules{.mode = StubbornMode::reach, .deadlocks = false};
  CHECK(searched(two, rules, "C.c1").goal == 1);
  StubbornRules forgets = rules;
  forgets.faults = kForgetSticky;
  CHECK_FALSE(searched(two, forgets, "C.c1").goal.has_value());
}

TEST_CASE("nor by a loop of two processes, for which one sticky step is enough") {
  const std::string text =
      "channel ping, pong;\n"
      "process A { state a0, a1; init a0; trans a0 -> a1 { sync ping!; },"
      " a1 -> a0 { sync pong?; }; }\n"
      "process B { state b0, b1; init b0; trans b0 -> b1 { sync ping?; },"
      " b1 -> b0 { sync pong!; }; }\n" +
      std::string(kOnce) + kNever;
  CHECK(violated(text, 0));
  CHECK_FALSE(violated(text, kForgetSticky));
  CHECK(sticky_count(text) == 1);
}

TEST_CASE("what only grows is on no cycle, unless it is set back") {
  const std::string counter =
      "byte x; process A { state a; init a; trans a -> a { guard x < 5; effect x = x + 1; }; }\n";
  const std::string reset =
      "process R { state r; init r; trans r -> r { guard x == 5; effect x = 0; }; }\n";
  CHECK(violated(counter + kOnce + kNever, 0));
  CHECK(sticky_count(counter + kOnce + kNever) == 0);
  CHECK(violated(counter + reset + kOnce + kNever, 0));
  CHECK(sticky_count(counter + reset + kOnce + kNever) == 1);
  CHECK_FALSE(violated(counter + reset + kOnce + kNever, kForgetSticky));
}

TEST_CASE("beside a visible step there is an invisible one") {
  const std::string text = std::string(kOnce) + kLoop + kEventually;
  CHECK(violated(text, 0));
  CHECK_FALSE(violated(text, kForgetInvisible));
}

TEST_CASE("a step to a committed location gets in the way of others") {
  const std::string text =
      "byte x; process A { state a0, a1; init a0; trans a0 -> a1 { effect x = 1; }; }\n"
      "process C { state c0, c1, c2; commit c1; init c0; trans c0 -> c1 {},"
      " c1 -> c2 { guard x == 1; }; }\n";
  const auto first = [&](u32 table_faults) {
    const Graph g = searched(text, {.mode = StubbornMode::deadlock}, "", table_faults);
    u32 depth = kNone;
    for (const auto& [state, at] : g.deadlocks) depth = std::min(depth, at);
    return depth;
  };
  CHECK(first(0) == 1);
  CHECK(first(ir::kForgetCommitted) != 1);
}

TEST_CASE("a guard that may fail is not taken apart, and errors to come are found at their depth") {
  const std::string text =
      "byte i; byte z; byte a[2]; process W { state w; init w; trans w -> w {}; }\n"
      "process P { state p, q; init p; trans p -> q { guard a[i] == 1 and z == 1; }; }\n"
      "process I { state s, t; init s; trans s -> t { effect i = 5; }, t -> s { effect i = 0; }; "
      "}\n";
  const StubbornRules rules{.mode = StubbornMode::deadlock, .exact_errors = true};
  CHECK(searched(text, rules).error == 1);
  StubbornRules forgets = rules;
  forgets.faults = kForgetErrors;
  const bool missed = searched(text, forgets).error != 1;
  CHECK(missed);
}

TEST_CASE("a guard does not fail where what stands left in it keeps an index in its range") {
  struct {
    const char* guard;
    bool fails;
  } const all[] = {{"i < 2 and a[i] == 1", false},
                   {"i > 1 or a[i] == 1", false},
                   {"i < 2 imply a[i] == 1", false},
                   {"not (i > 1 or z == 1) and a[i] == 1", false},
                   {"not (i < 2 imply a[i] == 1)", false},
                   {"z < 3 and a[i] == 1", true},
                   {"i < 3 and a[i] == 1", true},
                   {"i < 2 or a[i] == 1", true},
                   {"i > 1 imply a[i] == 1", true},
                   {"(i < 2 or z == 0) and a[i] == 1", true},
                   {"not (i < 2 and z == 1) and a[i] == 1", true}};
  for (const auto& one : all) {
    CAPTURE(std::string(one.guard));
    Reducible m(std::string("byte i; byte z; byte a[2];\n") + kLoop +
                "process P { state p, q; init p; trans p -> q { guard " + one.guard +
                "; }, q -> q { effect z = 1 - z; }; }\n"
                "process I { state s, t; init s; trans s -> t { effect i = 5; },"
                " t -> s { effect i = 0; }; }\nsystem async;\n");
    REQUIRE_MESSAGE(m.status.ok(), m.messages);
    const Model reduced = m.reduced({.mode = StubbornMode::deadlock, .exact_errors = true});
    CHECK(graph_of(m.loaded.model, 1000).error == graph_of(reduced, 1000).error);
    CHECK((m.tables.failing_steps.size() == 1) == one.fails);
  }
}

TEST_CASE("an error of the state itself is seen") {
  const std::string text =
      "byte a[1];\n" + std::string(kLoop) +
      "process E { state e; init e; trans e -> e { effect a[0] = a[0] - 1; }; }\n";
  const StubbornRules rules{.mode = StubbornMode::deadlock, .exact_errors = true};
  CHECK(searched(text, rules).error == 0);
  StubbornRules forgets = rules;
  forgets.faults = kForgetDryRun | kForgetErrors;
  CHECK_FALSE(searched(text, forgets).error.has_value());
}

TEST_CASE("an error of a product is not put off for ever, though no step to it is visible") {
  const std::string text =
      "byte b; byte d; byte a[1];\n" + std::string(kLoop) + kOnce +
      "process E { state e0, e1; init e0; trans e0 -> e1 { effect b = 1; }, e0 -> e1 { effect d = "
      "1; },"
      " e1 -> e1 { effect a[0] = a[0] - 1; }; }\n"
      "process N { state n, m; init n; accept m; trans n -> n {}, n -> m { guard C.c1; }; }\n"
      "system async property N;\n";
  for (const u32 faults : {u32{0}, u32{kForgetErrors}, u32{kForgetSticky}}) {
    Reducible m(text);
    REQUIRE_MESSAGE(m.status.ok(), m.messages);
    const Model reduced = m.reduced({.mode = StubbornMode::ltl, .faults = faults});
    CHECK(graph_of(reduced, 1000).error.has_value() == (faults == 0));
    CHECK(m.tables.visible_count == 1);
  }
}

TEST_CASE("an automaton that counts steps is refused") {
  const auto why = [](const std::string& property) {
    Reducible m(kOnce + property);
    REQUIRE_MESSAGE(m.status.ok(), m.messages);
    return std::string(ir::why_stuttering_matters(*m.loaded.program, false, m.arena));
  };
  CHECK(why(kNever).empty());
  CHECK(why(kEventually).empty());
  CHECK_FALSE(why("process N { state n, k, m; init n; accept m; trans n -> k { guard C.c0; },"
                  " k -> m { guard C.c0; }, m -> m {}; }\nsystem async property N;\n")
                  .empty());
  CHECK_FALSE(why("process N { byte b; state n; init n; accept n;"
                  " trans n -> n { effect b = 1 - b; }; }\nsystem async property N;\n")
                  .empty());
}

// Three pairs: whoever writes has to know who waits for that.
TEST_CASE("a choice that would be too much work is all steps, by the state alone") {
  std::string text = "byte v0, v1, v2;\n";
  for (const std::string n : {"0", "1", "2"})
    text += "process P" + n + " { state p, q; init p; trans p -> q { effect v" + n +
            " = 1; }; }\nprocess Q" + n + " { state r, s; init r; trans r -> s { guard v" + n +
            " > 0; effect v" + n + " = 2; }; }\n";
  text += "system async;\n";
  const auto graph = [&](u32 most_work, u64* work) {
    Reducible m(text);
    REQUIRE_MESSAGE(m.status.ok(), m.messages);
    const Model reduced = m.reduced({.most_work = most_work});
    const Graph g = graph_of(reduced, 1000);
    const StubbornCounts counts = stubborn_counts(reduced);
    // A step may be closed beyond the bound, and rows be looked at for it.
    CHECK(counts.work <= counts.enabled * (most_work + 200));
    *work = counts.work;
    CHECK(g.deadlocks.size() == 1);
    CHECK(g.deadlocks.begin()->second == 6);
    return g.number.size();
  };
  u64 bounded = 0;
  u64 patient = 0;
  CHECK(graph(0, &bounded) == 27);
  CHECK(graph(kPatientWork, &patient) == 7);
  CHECK(patient > bounded / 27);
}

}  // namespace stubborn_test
