// An automaton from elsewhere makes the program that the same automaton as a process of the text
// makes.
#include <doctest/doctest.h>

#include <random>
#include <string>
#include <vector>

#include "fixture.h"
#include "front/dve/dve_parser.h"
#include "ir/automaton.h"
#include "lower/dve/dve_lower.h"

using namespace xmc;

namespace automaton_test {

namespace {

struct Edge {
  u32 source;
  u32 target;
  std::string guard;  // empty: true
};

struct Automaton {
  std::vector<bool> accepting;
  u32 initial = 0;
  std::vector<Edge> edges;  // in order of their sources
};

const char* const kSystem =
    "byte x; byte y[3] = {1, 2, 3}; process P { byte i; state a, b; init a; "
    "trans a -> b { guard x < 5; effect x = x + y[i], i = (i + 1) % 3; }, b -> a {}; } "
    "process Q { state c, d; init c; commit d; trans c -> d { guard x > 2; }, "
    "d -> c { effect x = 0; }; } ";

std::string text_of(const Automaton& a) {
  const auto name = [](std::size_t l) { return "q" + std::to_string(l); };
  std::string states, accept, trans;
  for (std::size_t l = 0; l < a.accepting.size(); ++l) {
    states += (l == 0 ? "" : ", ") + name(l);
    if (a.accepting[l]) accept += (accept.empty() ? "" : ", ") + name(l);
  }
  for (const Edge& e : a.edges) {
    trans += (trans.empty() ? "" : ", ") + name(e.source) + " -> " + name(e.target) + " { " +
             (e.guard.empty() ? "" : "guard " + e.guard + ";") + " }";
  }
  return std::string(kSystem) + "process N { state " + states + "; init " + name(a.initial) + ";" +
         (accept.empty() ? "" : " accept " + accept + ";") +
         (trans.empty() ? "" : " trans " + trans + ";") + " } system async property N;";
}

void ignore(void*, std::string_view) {}

// The program of the system with the automaton handed over in IR terms.
struct Foreign {
  explicit Foreign(const Automaton& a) : memory(u64{4} << 20), arena(std::span<u8>(memory)) {
    const std::string text = std::string(kSystem) + "system async;";
    const Source source{"test.dve", text};
    Diagnostics diagnostics(source, ignore, nullptr);
    dve::System system(arena);
    REQUIRE(dve::parse(source, diagnostics, arena, system).ok());
    std::vector<std::string> names;
    std::vector<u8> accepting;
    std::vector<ir::Automaton::Edge> edges;
    std::vector<dve::ExprId> guards;
    for (std::size_t l = 0; l < a.accepting.size(); ++l) {
      names.push_back("q" + std::to_string(l));
      accepting.push_back(a.accepting[l] ? 1 : 0);
    }
    const std::vector<std::string_view> views(names.begin(), names.end());
    for (const Edge& e : a.edges) {
      edges.push_back({.source = e.source, .target = e.target});
      guards.push_back(kNone);
      if (e.guard.empty()) continue;
      const Source of_guard{"guard", e.guard};
      Diagnostics said(of_guard, ignore, nullptr);
      const Result<dve::ExprId> id = dve::parse_expression(of_guard, said, arena, system);
      REQUIRE(id.ok());
      guards.back() = id.value();
    }
    const DveAutomaton automaton{{"N", a.initial, views, accepting, edges}, guards, kNone};
    LowerRequest request;
    request.automaton = &automaton;
    request.invariant_spots = request.reach_spots = system.spots.size();
    REQUIRE(lower_dve(system, source, request, arena, program, text_of_model).ok());
  }

  std::vector<u8> memory;
  Arena arena;
  ir::Program program;
  ModelText text_of_model;
};

void check_same(const Automaton& a) {
  const std::string text = text_of(a);
  CAPTURE(text);
  const test::Loaded wanted(text);
  REQUIRE_MESSAGE(wanted.status.ok(), wanted.status.c_str());
  const ir::Program& p = *wanted.model.program;
  const Foreign foreign(a);
  const ir::Program& q = foreign.program;
  CHECK(q.property == p.property);
  CHECK(q.state_bits == p.state_bits);
  CHECK(q.max_successors == p.max_successors);
  CHECK(q.step_count == p.step_count);
  CHECK(q.property_moves == p.property_moves);
  CHECK(q.weak_property == p.weak_property);
  CHECK(std::vector<u32>(q.cycle_classes.begin(), q.cycle_classes.end()) ==
        std::vector<u32>(p.cycle_classes.begin(), p.cycle_classes.end()));
  CHECK(std::vector<u8>(q.location_flags.begin(), q.location_flags.end()) ==
        std::vector<u8>(p.location_flags.begin(), p.location_flags.end()));
  CHECK(q.hash == p.hash);
  CHECK(foreign.text_of_model.property == "N");
  REQUIRE(foreign.text_of_model.transitions.size() == wanted.model.text.transitions.size());
  if (a.edges.empty()) return;
  const Edge& last = a.edges.back();
  CHECK(std::string(foreign.text_of_model.transitions.back().text) ==
        "q" + std::to_string(last.source) + " -> q" + std::to_string(last.target));
}

}  // namespace

TEST_CASE("an automaton from elsewhere, by hand") {
  check_same({{false}, 0, {}});
  check_same({{false, true}, 0, {{0, 0, ""}, {0, 1, "x > 3 and P.a"}, {1, 1, "not (x < 3)"}}});
  check_same({{true, false, true}, 2, {{0, 1, "P->i == 2"}, {1, 2, ""}, {2, 0, "y[1] == x"}}});
}

TEST_CASE("random automata from elsewhere") {
  const char* const guards[] = {"", "x == 0", "x > 3 and P.a", "Q.d or P->i == 1", "y[P->i] > x"};
  std::mt19937 dice(7);
  for (u32 round = 0; round < 60; ++round) {
    const u32 locations = 1 + dice() % 5;
    Automaton a;
    a.initial = dice() % locations;
    for (u32 l = 0; l < locations; ++l) a.accepting.push_back(dice() % 3 == 0);
    for (u32 l = 0; l < locations; ++l) {
      for (u32 k = dice() % 3; k > 0; --k)
        a.edges.push_back({l, static_cast<u32>(dice() % locations), guards[dice() % 5]});
    }
    check_same(a);
  }
}

}  // namespace automaton_test
