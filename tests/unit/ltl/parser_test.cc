#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

#include "ltl/formula/formula_parser.h"
#include "tests/ltl/test_arena.h"

namespace xmc::ltl {
namespace parser_test {

namespace {

struct Parsed {
  TestArena memory;
  Formulas formulas{memory.arena};
  Propositions propositions;
  TextRange where;

  Formula parse(const std::string& text) {
    Formula formula = 0;
    const Status status = parse_formula(text, formulas, propositions, formula, where);
    INFO(text, ": ", status.c_str());
    REQUIRE(status.ok());
    return formula;
  }
};

// Equal formulas have equal numbers.
void same(const std::string& a, const std::string& b) {
  Parsed parsed;
  INFO(a, " and ", b);
  CHECK(parsed.parse(a) == parsed.parse(b));
}

}  // namespace

TEST_CASE("operators group as the header says") {
  same("p U q U r", "p U (q U r)");
  same("p R q R r", "p R (q R r)");
  same("p -> q -> r", "p -> (q -> r)");
  same("a & b & c", "(a & b) & c");
  same("a && b || c && d", "(a && b) || (c && d)");
  same("a ^ b || c", "a ^ (b || c)");
  same("a -> b ^ c", "a -> (b ^ c)");
  same("a U b && c U d", "(a U b) && (c U d)");
  same("! a U b", "(!a) U b");
  same("G a -> F b", "(G a) -> (F b)");
  same("X X a W b M c", "(X(X a)) W (b M c)");
}

TEST_CASE("spellings of Spin and Spot are one") {
  same("[] <> p", "GF p");
  same("[]<>p", "G F p");
  same("always eventually p", "G F p");
  same("p V q", "p R q");
  same("p until q", "p U q");
  same("p weakuntil q", "p W q");
  same("~a /\\ not b", "!a && !b");
  same("a \\/ b", "a or b");
  same("a and b", "a & b");
  same("a => b", "a -> b");
  same("a --> b", "a implies b");
  same("a <=> b", "a <-> b");
  same("a <--> b", "a equivalent b");
  same("a xor b", "a ^ b");
  same("1 U 0", "true U false");
}

TEST_CASE("propositions are texts") {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"P.wait", "P.wait"},
      {"G(x+1 < y)", "x+1 < y"},
      {"F a[i - b[2]] == -1", "a[i - b[2]] == -1"},
      {"!\"x == 2 and Q->y == 1\"", "x == 2 and Q->y == 1"},
      {"G P.G", "P.G"},
      {"F Forks", "Forks"},
      {"GFp", "GFp"},
      {"2 * x >= 1", "2 * x >= 1"},
      {"X 1 == x", "1 == x"},
      {"x << 2 != y", "x << 2 != y"},
      {"-x < 3", "-x < 3"},
  };
  for (const auto& test : cases) {
    Parsed parsed;
    parsed.parse(test.first);
    INFO(test.first);
    REQUIRE(parsed.propositions.size() == 1);
    CHECK(parsed.propositions.texts()[0] == test.second);
  }
  same("x==2 && x == 2 && \" x ==2 \"", "\"x==2\" && x==2 && x==2");
  Parsed parsed;
  parsed.parse("\"a b\" && ab");
  CHECK(parsed.propositions.size() == 2);
}

TEST_CASE("errors have a place and say what was expected") {
  struct Case {
    std::string text;
    u32 begin;
    u32 end;
    std::string message;
  };
  const std::vector<Case> cases{
      {"", 0, 0, "expected a formula, found the end"},
      {"p U", 3, 3, "expected a formula, found the end"},
      {"(p && q", 0, 1, "the parenthesis is not closed"},
      {"p q", 2, 3, "expected an operator or the end, found 'q'"},
      {"p && )", 5, 6, "expected a formula, found ')'"},
      {"(p q)", 3, 4, "expected an operator or ')', found 'q'"},
      {"F \"x", 2, 4, "the quote is not closed"},
      {"G U", 2, 3, "expected a formula, found 'U'"},
      {"a[1 && b", 1, 2, "the bracket is not closed"},
      {"p = q", 2, 3, "expected an operator or the end, found '='"},
      {"F 7", 2, 3, "expected a formula, found a number: only 0 and 1 are truths"},
      {"x + && p", 4, 6, "expected a name or a number, found '&&'"},
      {"P. && p", 3, 5, "expected a name after the dot, found '&&'"},
      {"\"\"", 1, 1, "the proposition is empty"},
  };
  for (const Case& test : cases) {
    TestArena memory;
    Formulas formulas(memory.arena);
    Propositions propositions;
    TextRange where;
    Formula formula = 0;
    const Status status = parse_formula(test.text, formulas, propositions, formula, where);
    INFO(test.text);
    CHECK(status.code() == Code::model);
    CHECK(status.message() == test.message);
    CHECK(where.begin == test.begin);
    CHECK(where.end == test.end);
  }
}

TEST_CASE("limits are messages with a number") {
  std::string many = "p0";
  for (int i = 1; i <= 32; ++i) many += " && p" + std::to_string(i);
  const std::string deep = std::string(300, '(') + "p" + std::string(300, ')');
  std::string chain = "p";
  for (int i = 0; i < 300; ++i) chain += " && p";
  const std::vector<std::pair<std::string, std::string>> cases{
      {many, "more than 32 propositions"},
      {deep, "nested more than 256 deep"},
      {chain, "nested more than 256 operators deep"},
      {std::string(70000, ' ') + "p", "has 70001 bytes, and 65536 are the limit"},
  };
  for (const auto& [text, message] : cases) {
    TestArena memory;
    Formulas formulas(memory.arena);
    Propositions propositions;
    TextRange where;
    Formula formula = 0;
    const Status status = parse_formula(text, formulas, propositions, formula, where);
    CHECK(status.code() == Code::model);
    CHECK(status.message().find(message) != std::string_view::npos);
  }
}

TEST_CASE("in a guard the letters of temporal operators are names") {
  Parsed parsed;
  Formula formula = 0;
  const Status status = parse_guard("G && (!X || U == 2)", parsed.formulas, parsed.propositions,
                                    formula, parsed.where);
  REQUIRE(status.ok());
  REQUIRE(parsed.propositions.size() == 3);
  CHECK(parsed.propositions.texts()[2] == "U == 2");
}

}  // namespace parser_test
}  // namespace xmc::ltl
