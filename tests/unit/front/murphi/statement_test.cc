// Statements: targets, conversions, and what is inside others.
#include <doctest/doctest.h>

#include <string>

#include "murphi_parsed.h"
#include "xmc/limits.h"

using namespace xmc;

namespace statement_test {

using murphi::StmtOp;
using test::kRumur;
using test::MurphiBody;

TEST_CASE("assignments have a place on the left") {
  const MurphiBody b("a[x].f := y + 1;");
  REQUIRE(b.ok());
  CHECK(b.statement().op == StmtOp::assign);
  CHECK(b.print(b.statement().a) == "a[x].f");
  CHECK(b.print(b.statement().b) == "(y + 1)");
  CHECK(MurphiBody("w := i;").ok());
  const MurphiBody from("i := w; ");
  CHECK(from.print(from.statement().b) == "from(w)");
  const MurphiBody undefined("w := undefined;");
  CHECK(undefined.print(undefined.statement().b) == "undefined");
  CHECK(MurphiBody("K := 1;").says("'K' is a constant, so it cannot be assigned"));
  CHECK(MurphiBody("z := i;").says("ruleset parameter 'z' is read-only"));
  CHECK(MurphiBody("for k: t do k := 1; end;").says("loop variable 'k' is read-only"));
  CHECK(MurphiBody("x := p;").says("this assignment needs a value of type 't'; this is of type"));
  CHECK(MurphiBody("i := 1;").says("needs a value of type 's'; this is of type integer"));
  CHECK(MurphiBody("x = 1;").says("'=' only compares; an assignment is written ':='"));
  const MurphiBody range("x := 12;");
  CHECK(range.ok());
  CHECK(range.says("warning: this assignment needs a value of 't'; 12 is an error at run time"));
}

TEST_CASE("compound values are assigned by the name of their type, by their form in rumur") {
  const char* other = "var k: record f, g: t; b: boolean; end; begin k := o;";
  CHECK(MurphiBody("o := a[1];").ok());
  CHECK(test::ParsedMurphi(test::with_rule("rule " + std::string(other) + " end"))
            .says("needs a value of type record; this is of type 'r'"));
  CHECK(test::ParsedMurphi(test::with_rule("rule " + std::string(other) + " end"), kRumur).ok());
}

TEST_CASE("clear and undefine") {
  CHECK(MurphiBody("clear o; undefine a[x]; undefine i; clear m;").ok());
  CHECK(MurphiBody("clear i;").says("this holds values of a scalarset"));
  CHECK(MurphiBody("clear i;").says("note: 'undefine' resets it without choosing a value"));
  CHECK(MurphiBody("clear i;", kRumur).ok());
  CHECK(MurphiBody("clear z;").says("is read-only"));
  CHECK(MurphiBody("undefine K;").says("'K' is a constant, so it cannot be undefined"));
}

TEST_CASE("if, elsif and else are clauses in their order") {
  const MurphiBody b("if p then x := 1; elsif q then y := 1 else endif");
  REQUIRE(b.ok());
  const murphi::Stmt& chain = b.statement();
  CHECK(chain.op == StmtOp::if_chain);
  const murphi::Stmt& second = b.at(b.at(chain.b).next);
  CHECK(b.print(b.at(chain.b).a) == "p");
  CHECK(b.print(second.a) == "q");
  const murphi::Stmt& last = b.at(second.next);
  CHECK(last.a == kNone);
  CHECK(last.b == kNone);
  CHECK(last.next == kNone);
  CHECK(MurphiBody("if x then end;").says("the condition of an if must be boolean"));
  CHECK(MurphiBody("if p x := 1; end;").says("expected 'then' before 'x'"));
}

TEST_CASE("switch goes by constants") {
  const MurphiBody b("switch w case A, C: x := 1; case B: else x := 2; end;");
  REQUIRE(b.ok());
  const murphi::Stmt& first = b.at(b.statement().b);
  CHECK(first.c == 2);
  CHECK(b.print(b.parsed.system.labels[first.a + 1]) == "#2");
  CHECK(b.at(b.at(first.next).next).c == 0);
  CHECK(MurphiBody("switch x case 1: case 2, 1: end;").says("already has a case for this value"));
  CHECK(MurphiBody("switch x case 1: case 1: end;", kRumur).ok());
  CHECK(MurphiBody("switch x case y: end;").says("the label of a case must be a constant"));
  CHECK(MurphiBody("switch x case y: end;", kRumur).ok());
  CHECK(MurphiBody("switch o end;").says("a switch goes by a simple value; this is of type 'r'"));
  CHECK(MurphiBody("switch x case true: end;").says("this label needs a value of type 't'"));
}

TEST_CASE("loops") {
  const MurphiBody b("for k := 5 to 1 by -2 do x := k; endfor; while x < 3 do x := x + 1 end;");
  REQUIRE(b.ok());
  const murphi::Variable& k = b.parsed.system.variables[b.statement().a];
  CHECK(k.role == murphi::Role::loop);
  CHECK(b.print(k.step) == "-2");
  CHECK(b.parsed.system.types[k.type].low == 1);
  CHECK(b.at(b.statement().next).op == StmtOp::while_loop);
  const MurphiBody two("for k: t; l: s do n[l] := A; end;");
  REQUIRE(two.ok());
  CHECK(two.at(two.statement().b).op == StmtOp::for_loop);
  CHECK(MurphiBody("for k := 1 to x do end;").ok());
  CHECK(MurphiBody("for k := 1 to 3 by x do end;").says("the step of a loop must be a constant"));
  CHECK(MurphiBody("for k := 1 to 3 by x do end;", kRumur).ok());
  CHECK(MurphiBody("for k := 3 to 1 do end;").ok());
  CHECK(MurphiBody("for k := 3 to 1 by 1 do end;", kRumur)
            .says("a step of 1 does not lead from 3 to 1"));
  CHECK(MurphiBody("while x do end;").says("the condition of a while must be boolean"));
}

TEST_CASE("an alias of a place can be changed, one of a value cannot") {
  const MurphiBody b("alias k: a[x]; l: k.f do l := y; k.b := p; end;");
  REQUIRE(b.ok());
  CHECK(b.statement().op == StmtOp::alias);
  CHECK(MurphiBody("alias k: x + 1 do k := 1; end;")
            .says("alias 'k' stands for a value, so it cannot be assigned"));
  CHECK(MurphiBody("alias k: K do for l: 0..k do end; end;").ok());
  CHECK(MurphiBody("alias k: z do k := i; end;").says("ruleset parameter 'z' is read-only"));
}

TEST_CASE("texts may stand before and behind conditions") {
  const MurphiBody b("assert \"one\" p; assert p \"two\"; error \"three\"; put \"four\"; put o;");
  REQUIRE(b.ok());
  const murphi::Stmt& second = b.at(b.statement().next);
  CHECK(b.statement().text == "one");
  CHECK(second.text == "two");
  CHECK(b.at(second.next).op == StmtOp::fail);
  CHECK(b.at(second.next).text == "three");
  CHECK(MurphiBody("error x;").says("expected a text in quotes"));
  CHECK(MurphiBody("assert x;").says("must be boolean"));
}

TEST_CASE("words of one dialect are names where they are declared") {
  CHECK(MurphiBody("assume x < 5; cover \"c\" p;").statement().op == StmtOp::assume);
  CHECK(MurphiBody("assume (x < 5);").ok());
  CHECK(MurphiBody("liveness p;").says("liveness is a property of all behaviour"));
  CHECK(test::ParsedMurphi("var assume: 0..1; cover: array [0..1] of boolean; liveness, choose: "
                           "boolean; startstate begin assume := 1; cover[0] := true; end; rule "
                           "liveness & choose ==> begin undefine choose; end;")
            .ok());
}

TEST_CASE("semicolons are free behind an end and at the end only") {
  CHECK(MurphiBody(";; x := 1;; if p then end y := 2").ok());
  CHECK(MurphiBody("x := 1 y := 2;").says("expected ';' before 'y'"));
}

TEST_CASE("a mistake in a statement does not hide the next one") {
  const MurphiBody b("x := ; y := nix; if p then x := ) ; y := p; end;");
  CHECK(b.says("expected an expression before ';'"));
  CHECK(b.says("unknown name 'nix'"));
  CHECK(b.says("expected an expression before ')'"));
  CHECK(b.says("needs a value of type 't'; this is of type boolean"));
  CHECK(b.parsed.errors() == 4);
}

TEST_CASE("deep statements end with a message") {
  std::string loops;
  std::string ends;
  for (u32 i = 0; i < limits::kBlockDepth - 2; ++i) {
    loops += "for k" + std::to_string(i) + ": t do ";
    ends += "end; ";
  }
  CHECK(MurphiBody(loops + ends).ok());
  std::string deep;
  for (u32 i = 0; i <= limits::kBlockDepth; ++i) deep += "if p then ";
  CHECK(MurphiBody(deep).says("statements, types or rulesets nested deeper than 64 levels"));
}

}  // namespace statement_test
