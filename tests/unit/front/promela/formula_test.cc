// Formulas of ltl blocks, and how they are told from expressions.
#include <doctest/doctest.h>

#include <string>

#include "promela_parsed.h"

using namespace xmc;

namespace formula_test {

using test::ParsedPromela;

namespace {

std::string print(const ParsedPromela& parsed, u32 id) {
  using promela::FormulaOp;
  const promela::Formula& node = parsed.system.formulas[id];
  const auto infix = [&](const char* sign) {
    return "(" + print(parsed, node.a) + " " + sign + " " + print(parsed, node.b) + ")";
  };
  switch (node.op) {
    case FormulaOp::expression: {
      const promela::Span place = parsed.system.expressions[node.expr].place;
      return std::string(piece_of(parsed.source.text, place.begin, place.end - place.begin));
    }
    case FormulaOp::negation:
      return "not " + print(parsed, node.a);
    case FormulaOp::always:
      return "G " + print(parsed, node.a);
    case FormulaOp::eventually:
      return "F " + print(parsed, node.a);
    case FormulaOp::next:
      return "X " + print(parsed, node.a);
    case FormulaOp::conjunction:
      return infix("and");
    case FormulaOp::disjunction:
      return infix("or");
    case FormulaOp::implies:
      return infix("=>");
    case FormulaOp::equivalent:
      return infix("<=>");
    case FormulaOp::until:
      return infix("U");
    case FormulaOp::weak_until:
      return infix("W");
    default:
      return infix("V");
  }
}

std::string formula(const std::string& text) {
  const ParsedPromela parsed("byte x, y; active proctype P() { byte z; cs: z = 1 } ltl p { " +
                             text + " }");
  if (!parsed.ok()) return parsed.messages;
  return print(parsed, parsed.system.properties[0].formula);
}

}  // namespace

TEST_CASE("operators and their words") {
  CHECK(formula("[] <> x == 1") == "G F x == 1");
  CHECK(formula("always eventually x") == "G F x");
  CHECK(formula("x U y") == "(x U y)");
  CHECK(formula("x until y") == "(x U y)");
  CHECK(formula("x W y V x") == "((x W y) V x)");
  CHECK(formula("x weakuntil y") == "(x W y)");
  CHECK(formula("x release y") == "(x V y)");
  CHECK(formula("X x") == "X x");
  CHECK(formula("next x") == "X x");
  CHECK(formula("x -> y") == "(x => y)");
  CHECK(formula("x implies y") == "(x => y)");
  CHECK(formula("x <-> y") == "(x <=> y)");
  CHECK(formula("x equivalent y") == "(x <=> y)");
  CHECK(formula("x /\\ y \\/ x") == "((x and y) or x)");
}

TEST_CASE("what binds tighter") {
  CHECK(formula("x && y || x U y -> x") == "(((x and y) or (x U y)) => x)");
  CHECK(formula("[] x && y") == "(G x and y)");
  CHECK(formula("[] (x -> <> y)") == "G (x => F y)");
  CHECK(formula("!<> x") == "not F x");
  CHECK(formula("!(x U y)") == "not (x U y)");
  CHECK(formula("!!(x U y)").starts_with("folder/test.pml"));
}

TEST_CASE("an expression stays one") {
  CHECK(formula("(x + 1) * 2 == y") == "x + 1) * 2 == y");
  CHECK(formula("[] (x + y > 2)") == "G x + y > 2");
  CHECK(formula("!x == y") == "!x == y");
  CHECK(formula("(x > 1 -> x : y) == 2") == "(x > 1 -> x : y) == 2");
}

TEST_CASE("remote references") {
  CHECK(formula("[] (P@cs -> x == 1)") == "G (P@cs => x == 1)");
  CHECK(formula("<> (P[0]:z == 1)") == "F P[0]:z == 1");
  CHECK(formula("[] (x == 1 -> P:z == 1)") == "G (x == 1 => P:z == 1)");
}

TEST_CASE("names of properties") {
  const ParsedPromela parsed(
      "byte x; active proctype P() { skip } ltl { [] x } ltl named { <> x } never { x } "
      "never other { x } never { x } ltl { X later } byte later;");
  REQUIRE(parsed.ok());
  const char* const names[] = {"ltl_0", "named", "never_0", "other", "never_1", "ltl_1"};
  REQUIRE(parsed.system.properties.size() == 6);
  for (u32 i = 0; i < 6; ++i) CHECK(parsed.system.properties[i].name == names[i]);
}

}  // namespace formula_test
