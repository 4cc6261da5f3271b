// Components of the property automaton, by hand and against reachability on random automata.
#include <doctest/doctest.h>

#include <random>
#include <string>
#include <vector>

#include "fixture.h"

using namespace xmc;
using namespace xmc::test;

namespace components_test {

namespace {

struct Automaton {
  u32 locations;
  std::vector<bool> accepting;
  std::vector<std::vector<bool>> step;
};

std::string text_of(const Automaton& a) {
  std::string text = "process P { state p; init p; trans p -> p {}; } process N { state ";
  for (u32 l = 0; l < a.locations; ++l) text += (l == 0 ? "q" : ", q") + std::to_string(l);
  text += "; init q0;";
  std::string list;
  for (u32 l = 0; l < a.locations; ++l) {
    if (a.accepting[l]) list += (list.empty() ? " q" : ", q") + std::to_string(l);
  }
  if (!list.empty()) text += " accept" + list + ";";
  list.clear();
  for (u32 l = 0; l < a.locations; ++l) {
    for (u32 m = 0; m < a.locations; ++m) {
      if (!a.step[l][m]) continue;
      list +=
          (list.empty() ? " q" : ", q") + std::to_string(l) + " -> q" + std::to_string(m) + " {}";
    }
  }
  if (!list.empty()) text += " trans" + list + ";";
  return text + " } system async property N;";
}

// reach[l][m]: a path of at least one step over locations that are allowed, its ends included.
std::vector<std::vector<bool>> closure(const Automaton& a, const std::vector<bool>& allowed) {
  std::vector<std::vector<bool>> reach(a.locations, std::vector<bool>(a.locations));
  for (u32 l = 0; l < a.locations; ++l) {
    for (u32 m = 0; m < a.locations; ++m) reach[l][m] = allowed[l] && allowed[m] && a.step[l][m];
  }
  for (u32 k = 0; k < a.locations; ++k) {
    for (u32 l = 0; l < a.locations; ++l) {
      for (u32 m = 0; m < a.locations; ++m) {
        if (reach[l][k] && reach[k][m]) reach[l][m] = true;
      }
    }
  }
  return reach;
}

void check(const Automaton& a) {
  const std::string text = text_of(a);
  CAPTURE(text);
  const Loaded m(text.c_str());
  REQUIRE(m.status.ok());
  const ir::Program& p = *m.model.program;
  const auto reach = closure(a, std::vector<bool>(a.locations, true));
  std::vector<bool> plain(a.locations);
  for (u32 l = 0; l < a.locations; ++l) {
    bool may = a.accepting[l] && reach[l][l];
    for (u32 k = 0; k < a.locations; ++k) {
      may = may || (a.accepting[k] && reach[l][k] && reach[k][l]);
    }
    CHECK((p.cycle_classes[l] != 0) == may);
    for (u32 k = 0; may && k < a.locations; ++k) {
      const bool together = k == l || (reach[l][k] && reach[k][l]);
      CHECK((p.cycle_classes[l] == p.cycle_classes[k]) == together);
    }
    plain[l] = may && !a.accepting[l];
  }
  const auto avoiding = closure(a, plain);
  bool weak = true;
  for (u32 l = 0; l < a.locations; ++l) weak = weak && !avoiding[l][l];
  CHECK(p.weak_property == weak);
  CHECK(m.model.model.weak == weak);
}

}  // namespace

TEST_CASE("a location that only leads to the accepting loop lies on no cycle") {
  Automaton a{2, {false, true}, {{true, true}, {false, true}}};
  check(a);
  a.step[1][0] = true;  // now one component, with a loop that does not accept
  check(a);
}

TEST_CASE("an accepting location without a way back accepts nothing") {
  check({2, {true, false}, {{false, true}, {false, true}}});
}

TEST_CASE("components of random automata are those of reachability") {
  std::mt19937 random(7);
  for (int round = 0; round < 300; ++round) {
    Automaton a;
    a.locations = 1 + random() % 6;
    a.accepting.resize(a.locations);
    a.step.assign(a.locations, std::vector<bool>(a.locations));
    for (u32 l = 0; l < a.locations; ++l) {
      a.accepting[l] = random() % 3 == 0;
      for (u32 m = 0; m < a.locations; ++m) a.step[l][m] = random() % 4 == 0;
    }
    check(a);
  }
}

TEST_CASE("erroneous steps are on cycles only where they lead on") {
  const std::string text =
      "byte a[2]; byte i; process P { state p; init p; trans p -> p { guard i < 3; effect a[i] = "
      "1, i = i + 1; }; } process N { state q0, q1; init q0; accept q1; trans q0 -> q0 {}, "
      "q0 -> q1 {}, q1 -> q1 {}; } system async property N;";
  for (const ErrorRule rule : {ErrorRule::report, ErrorRule::beem, ErrorRule::stop}) {
    // Code is emitted for all rules.
    for (const bool for_emit : {false, true}) {
      const Loaded m(text, rule, for_emit);
      REQUIRE(m.status.ok());
      const ir::Program& p = *m.model.program;
      CHECK(p.may_error);
      CHECK(p.error_state == (for_emit || rule != ErrorRule::report));
      const bool leads_on = rule == ErrorRule::beem;
      CHECK((p.cycle_classes[0] != 0) == leads_on);
      CHECK(p.cycle_classes[1] != 0);
      CHECK(p.weak_property == !leads_on);
    }
  }
}

}  // namespace components_test
