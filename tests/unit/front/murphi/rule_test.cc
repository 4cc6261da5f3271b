// Rules, startstates, properties, and the groups around them.
#include <doctest/doctest.h>

#include <string>

#include "murphi_parsed.h"

using namespace xmc;

namespace rule_test {

using murphi::RuleKind;
using test::kRumur;
using test::ParsedMurphi;
using test::with_rule;

namespace {

// What stands in front of a rule: "z k=alias".
std::string bindings(const murphi::System& system, const murphi::Rule& rule) {
  std::string out;
  for (u32 i = 0; i < rule.binding_count; ++i) {
    const murphi::Variable& variable = system.variables[system.bindings[rule.first_binding + i]];
    out += (i > 0 ? " " : "") + std::string(variable.name);
  }
  return out;
}

}  // namespace

TEST_CASE("a rule has a name, a priority and a guard, or none of them") {
  const ParsedMurphi p(with_rule(
      "rule \"n\" p ==> begin x := 1; end; rule x := 1; y := 2; end; rule 20 \"m\" begin end;\n"
      "rule 1 < x ==> begin end; rule 7 p ==> end; rule forall k := 1 to 2 do x = k end; end;"));
  CHECK_FALSE(p.ok());  // the last one has no arrow
  CHECK(p.says("error: expected '==>' behind the guard before ';'"));
  const ParsedMurphi good(with_rule(
      "rule \"n\" p ==> begin x := 1; end; rule x := 1; y := 2; end; rule 20 \"m\" begin end;\n"
      "rule 1 < x ==> begin end; rule 7 p ==> end; rule forall k := 1 to 2 do x = k end ==> end;"));
  REQUIRE(good.ok());
  const murphi::System& system = good.system;
  CHECK(system.rules[1].name == "n");
  CHECK(test::print(system, system.rules[1].guard) == "p");
  CHECK(system.rules[2].guard == kNone);
  CHECK(system.statements[system.rules[2].body].next != kNone);
  CHECK(system.rules[3].priority == 20);
  CHECK(test::print(system, system.rules[4].guard) == "(1 < x)");
  CHECK(system.rules[5].priority == 7);
  CHECK(test::print(system, system.rules[6].guard) == "all k ((x = k))");
  CHECK(system.rules[6].frame_leaves == 1);
}

TEST_CASE("a rule keeps what is around it, outermost first") {
  const ParsedMurphi p(with_rule(
      "ruleset k: t; l: s do alias q: a[k] do choose h: m do rule q.b ==> begin n[l] := A; end; "
      "startstate begin end; invariant \"i\" p; end; end; rule begin end; end; rule begin end;"));
  REQUIRE(p.ok());
  CHECK(bindings(p.system, p.system.rules[1]) == "k l q h");
  CHECK(p.system.rules[1].instances == 10 * 3 * 2);
  CHECK(p.system.rules[2].kind == RuleKind::startstate);
  CHECK(p.system.rules[3].kind == RuleKind::invariant);
  CHECK(p.system.rules[3].name == "i");
  CHECK(bindings(p.system, p.system.rules[4]) == "k l");
  CHECK(p.system.rules[5].binding_count == 0);
  CHECK(p.system.rules[5].instances == 1);
}

TEST_CASE("instances of intervals") {
  const ParsedMurphi p(with_rule(
      "ruleset k := 1 to 10 by 3 do rule begin end; end; ruleset k := 5 to 1 by -2 do rule begin "
      "end; end; ruleset k := 3 to 1 do rule begin end; end;"));
  REQUIRE(p.ok());
  CHECK(p.system.rules[1].instances == 4);
  CHECK(p.system.rules[2].instances == 3);
  CHECK(p.system.rules[3].instances == 0);
  CHECK(ParsedMurphi(with_rule("ruleset k := 1 to x do rule begin end; end;"))
            .says("a bound of the interval must be a constant"));
}

TEST_CASE("properties, with their text before or behind") {
  const ParsedMurphi p(with_rule(
      "rule begin end; invariant p; invariant \"a\" p invariant p \"b\" assert p assume \"c\" p; "
      "cover p liveness p"));
  REQUIRE(p.ok());
  CHECK(p.system.rules.size() == 9);
  CHECK(p.system.rules[3].name == "a");
  CHECK(p.system.rules[4].name == "b");
  CHECK(p.system.rules[5].kind == RuleKind::invariant);
  CHECK(p.system.rules[6].kind == RuleKind::assume);
  CHECK(p.system.rules[7].kind == RuleKind::cover);
  CHECK(p.system.rules[8].kind == RuleKind::liveness);
  CHECK(ParsedMurphi(with_rule("rule begin end; invariant x;")).says("a property must be boolean"));
  CHECK(ParsedMurphi(with_rule("rule begin end; pctl [ true ] <= 1;"))
            .says("probabilistic properties are not supported"));
}

TEST_CASE("an inner name hides an outer one, except among rulesets in CMurphi") {
  CHECK(ParsedMurphi(with_rule("rule var x: 0..3; begin x := 3; end;")).ok());
  CHECK(ParsedMurphi(with_rule("rule var x: boolean; x: t; begin end;"))
            .says("'x' is already the name of a variable"));
  const char* twice = "ruleset k: t do ruleset k: s do rule begin end; end; end;";
  CHECK(ParsedMurphi(with_rule(twice)).says("'k' is already bound by an outer ruleset"));
  CHECK(ParsedMurphi(with_rule(twice), kRumur).ok());
  CHECK(ParsedMurphi(with_rule("ruleset x: t do rule begin end; end;")).ok());
}

TEST_CASE("a model needs a rule and a startstate, in CMurphi") {
  CHECK(ParsedMurphi("var x: boolean; rule begin end;").says("the model has no startstate"));
  CHECK(ParsedMurphi("var x: boolean; startstate begin end;").says("the model has no rule"));
  CHECK(ParsedMurphi("var x: boolean;", kRumur).ok());
  CHECK(ParsedMurphi("").says("the model has no rule"));
}

TEST_CASE("a mistake in a rule does not hide the next one") {
  const ParsedMurphi p(with_rule(
      "ruleset k: t do rule x = ==> begin end; rule begin x := k; y := nix; end; end; rule begin p "
      ":= x; end;"));
  CHECK(p.says("expected an expression before '==>'"));
  CHECK(p.says("unknown name 'nix'"));
  CHECK(p.says("this assignment needs a value of type boolean"));
  CHECK(p.errors() == 3);
}

TEST_CASE("a missing end is said where it is missed, with where it began") {
  const ParsedMurphi p(with_rule("rule begin if p then x := 1; end; rule begin end;"));
  CHECK(p.says("expected the 'end' of 'rule' before 'rule'"));
  CHECK(p.says(":8:1: note: 'rule' begins here"));
  CHECK(p.errors() == 1);
}

TEST_CASE("sections stand anywhere, names before their use") {
  CHECK(
      ParsedMurphi("startstate begin end; var x: boolean; rule x ==> begin end; const N: 3;").ok());
  CHECK(ParsedMurphi("rule x ==> begin end; var x: boolean; startstate begin end;")
            .says("unknown name 'x'"));
  CHECK(ParsedMurphi("type A, B: record x: boolean end var x: A startstate begin end rule begin "
                     "end; ;",
                     kRumur)
            .ok());
}

}  // namespace rule_test
