#include <doctest/doctest.h>

#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

#include "ltl/translate.h"
#include "tests/ltl/test_arena.h"

namespace xmc::ltl {
namespace translate_test {

namespace {

struct Kind {
  std::string formula;
  u32 states;
  bool weak;
  bool terminal;
};

struct Translated {
  TestArena memory;
  Automaton automaton;
  Status status;

  explicit Translated(const std::string& text, bool negated = false) {
    TextRange where;
    status = translate_text(text, negated, memory.arena, automaton, where);
  }
};

}  // namespace

TEST_CASE("well-known formulas have as few states as they need, and their kind is known") {
  const std::vector<Kind> kinds{
      {"true", 1, true, true},
      {"false", 1, true, true},
      {"F p", 2, true, true},
      {"G p", 1, true, false},
      {"p U q", 2, true, true},
      {"p R q", 2, true, false},
      {"F G p", 2, true, false},
      {"G F p", 2, false, false},
      {"G F a && G F b", 3, false, false},
      {"G F a && G F b && G F c", 4, false, false},
      {"G (p -> F q)", 2, false, false},
      {"!G (p -> F q)", 2, true, false},
      {"X (p || q)", 3, true, true},
      {"F G a || F G b", 3, true, false},
      {"(G F a -> G F b)", 4, false, false},
      {"F p && !p && G !p", 1, true, true},
      {"p U (q U (r U s))", 4, true, true},
  };
  for (const Kind& kind : kinds) {
    const Translated translated(kind.formula);
    INFO(kind.formula);
    REQUIRE(translated.status.ok());
    CHECK(translated.automaton.state_count() == kind.states);
    CHECK(translated.automaton.weak == kind.weak);
    CHECK(translated.automaton.terminal == kind.terminal);
  }
}

TEST_CASE("the invariants of automata hold") {
  for (const char* text : {"(a U b) && G (c -> X (d || F a))", "G F a -> G (b <-> X c)", "false"}) {
    const Translated translated(text);
    const Automaton& automaton = translated.automaton;
    REQUIRE(translated.status.ok());
    CHECK(automaton.first_edge.size() == automaton.state_count() + 1);
    CHECK(automaton.first_edge.back() == automaton.edges.size());
    for (std::size_t i = 0; i < automaton.edges.size(); ++i) {
      const Edge& edge = automaton.edges[i];
      CHECK(edge.target < automaton.state_count());
      CHECK(edge.cube_count > 0);
      for (const Cube& cube : automaton.guard(edge)) CHECK((cube.positive & cube.negative) == 0);
      if (i == 0) continue;
      const Edge& last = automaton.edges[i - 1];
      const bool ascending =
          last.source < edge.source || (last.source == edge.source && last.target < edge.target);
      CHECK(ascending);
    }
  }
}

TEST_CASE("a formula that is too large is refused with a number, and soon") {
  std::string many = "true";
  for (int i = 0; i < 16; ++i) {
    many += " && ((p" + std::to_string(i) + " U q" + std::to_string(i % 8) + ") || G (p" +
            std::to_string((i + 1) % 16) + " -> F q" + std::to_string((i + 3) % 8) + "))";
  }
  // Rewriting this would take longer than anybody waits, if its effort were not bounded.
  std::string nested = "p";
  for (int i = 0; i < 60; ++i) nested = "(" + nested + " <-> F q" + std::to_string(i % 7) + ")";
  std::string untils = "p";
  for (int i = 0; i < 70; ++i) untils = "(q" + std::to_string(i % 5) + " U " + untils + ")";
  for (const std::string& text : {many, nested, untils}) {
    const Translated translated(text);
    CHECK(translated.status.code() == Code::model);
    CHECK(translated.status.message().find("more than") != std::string_view::npos);
  }
}

// Each line is a name, the states of Spin's automaton of the negation (- if that took longer than
// 20 s), and the formula; `tools/bench ltl` asks Spin again.
TEST_CASE("specification patterns and further formulas need no more states than Spin's") {
  for (const char* file : {"tests/ltl/patterns.ltl", "tests/ltl/further.ltl"}) {
    std::ifstream in(file);
    std::string name;
    std::string spin;
    std::string formula;
    u32 ours_total = 0;
    u32 spin_total = 0;
    u32 count = 0;
    while (in >> name >> spin && std::getline(in, formula)) {
      const Translated translated(formula, true);
      INFO(name, formula);
      REQUIRE(translated.status.ok());
      ++count;
      if (spin == "-") continue;
      const u32 spin_states = static_cast<u32>(std::stoul(spin));
      CHECK(translated.automaton.state_count() <= spin_states);
      ours_total += translated.automaton.state_count();
      spin_total += spin_states;
    }
    CHECK(count >= 55);
    CHECK(ours_total * 4 <= spin_total * 3);
  }
}

}  // namespace translate_test
}  // namespace xmc::ltl
