// Procedures and functions: parameters, results, and what they change.
#include <doctest/doctest.h>

#include <string>

#include "murphi_parsed.h"

using namespace xmc;

namespace routine_test {

using test::kRumur;
using test::MurphiBody;
using test::MurphiGuard;
using test::ParsedMurphi;

namespace {

struct Routines : ParsedMurphi {
  explicit Routines(std::string_view routines,
                    murphi::Dialect dialect_in = murphi::Dialect::cmurphi)
      : ParsedMurphi("type t: 0..5; var x, y: t; b: boolean; " + std::string(routines) +
                         " startstate begin end; rule begin x := y; end;",
                     dialect_in) {}
};

}  // namespace

TEST_CASE("a routine keeps its parameters, body and frame") {
  const Routines p(
      "function f(var a: t; c, d: boolean): t; var e: array [t] of t; begin for k: t do e[k] := a; "
      "end; return e[0]; end;");
  REQUIRE(p.ok());
  const murphi::Routine& f = p.system.routines[0];
  CHECK(f.is_function);
  CHECK(f.parameter_count == 3);
  CHECK(p.system.types[f.result].name == "t");
  CHECK(f.frame_leaves == 2 + 6 + 1);
  CHECK_FALSE(f.writes_state);
  CHECK_FALSE(f.is_recursive);
  const murphi::Variable& a = p.system.variables[p.system.parameters[f.first_parameter]];
  CHECK(a.role == murphi::Role::reference);
  CHECK_FALSE(a.is_written);
}

TEST_CASE("what a routine changes is known") {
  const Routines p(
      "procedure direct(); begin x := 1; end; procedure local(); var x: t; begin x := 1; end; "
      "procedure indirect(); begin direct(); end; procedure given(var a: t); begin a := 1; end; "
      "procedure gives(); begin given(y); end; procedure aliased(); begin alias k: x do clear k; "
      "end; end;");
  REQUIRE(p.ok());
  CHECK(p.system.routines[0].writes_state);
  CHECK_FALSE(p.system.routines[1].writes_state);
  CHECK(p.system.routines[2].writes_state);
  CHECK_FALSE(p.system.routines[3].writes_state);
  CHECK(p.system.routines[4].writes_state);
  CHECK(p.system.routines[5].writes_state);
}

TEST_CASE("guards and properties call only what changes nothing") {
  const char* f = "function f(): boolean; begin x := 1; return b; end; ";
  const char* g = "function g(var a: t): boolean; begin a := 1; return b; end; ";
  const char* h = "function h(var a: t): boolean; begin return a = 1; end; ";
  CHECK(Routines(std::string(f) + "invariant f();").says("'f' changes the state, which a guard"));
  CHECK(Routines(std::string(f) + "rule f() ==> begin end;").says("'f' changes the state"));
  CHECK(Routines(std::string(f) + "rule begin b := f(); end;").ok());
  CHECK(Routines(std::string(g) + "rule g(x) ==> begin end;").says("'g' changes the state"));
  CHECK(Routines(std::string(h) + "rule h(x) ==> begin end;").ok());
  CHECK(
      Routines(std::string(f) + "alias k: f() do rule begin end; end;").says("changes the state"));
}

TEST_CASE("arguments fit their parameters") {
  const MurphiBody b("P(x, y + 1);");
  REQUIRE(b.ok());
  CHECK(b.print(b.statement().a) == "P(x, (y + 1))");
  CHECK(MurphiBody("P(undefined, 1);").says("'undefined' can only be assigned or passed"));
  CHECK(MurphiBody("P(x, undefined);").ok());
  CHECK(MurphiBody("P(x);").says("'P' takes 2 arguments, not 1"));
  CHECK(MurphiBody("P(x, y, 1);").says("'P' takes 2 arguments, not 3"));
  CHECK(MurphiBody("P(x, p);").says("parameter 'b' needs a value of type 't'"));
  CHECK(MurphiBody("P(x + 1, y);").says("can be passed to a 'var' parameter"));
  CHECK(MurphiBody("P(K, y);").says("'K' is a constant, so it cannot be passed to a 'var'"));
  CHECK(MurphiBody("for k: t do P(k, y); end;").says("loop variable 'k' is read-only"));
  CHECK(MurphiBody("x := P(x, y);").says("'P' is a procedure and has no value"));
  CHECK(MurphiBody("F(x);").says("'F' is a function, and its value is not used"));
  CHECK(MurphiBody("F(x);", kRumur).ok());
  CHECK(MurphiBody("x(1);").says("'x' is a variable, not a procedure or function"));
  CHECK(MurphiBody("Q(1);").says("unknown procedure or function 'Q'"));
  CHECK(MurphiGuard("F(F(x) + F(1)) = F(2)").tree() == "(F((F(x) + F(1))) = F(2))");
  const MurphiGuard range("F(12) = 1");
  CHECK(range.says("warning: parameter 'a' needs a value of 't'; 12 is an error at run time"));
}

TEST_CASE("a var parameter takes its very type") {
  const char* q = "procedure q(var a: 0..5); begin a := 1; end; ";
  CHECK(Routines(std::string(q) + "rule begin q(x); end;").says("of its own type 0..5"));
  CHECK(Routines(std::string(q) + "rule begin q(x); end;", kRumur).ok());
  CHECK(Routines("procedure q(a: t); begin a := 1; end;")
            .says("parameter 'a' is read-only; declare it 'var', or copy it"));
}

TEST_CASE("functions return values, others do not") {
  CHECK(Routines("function f(): t; begin x := 1; end;").says("function 'f' has no return"));
  CHECK(Routines("function f(): t; begin return; end;").says("a function returns a value"));
  CHECK(Routines("function f(): t; begin return b; end;").says("the function's result needs a"));
  CHECK(Routines("procedure f(); begin return 1; end;").says("only a function returns a value"));
  CHECK(Routines("procedure f(); begin if b then return; end; end;").ok());
  CHECK(MurphiBody("return; x := 1;").ok());
  CHECK(MurphiBody("return 1;").says("only a function returns a value"));
}

TEST_CASE("a routine knows itself and what is before it") {
  const Routines p("function f(k: t): t; begin if k = 0 then return 1; end; return f(k - 1); end;");
  REQUIRE(p.ok());
  CHECK(p.system.routines[0].is_recursive);
  CHECK(Routines("procedure f(); begin g(); end; procedure g(); begin end;")
            .says("unknown procedure or function 'g'"));
  CHECK(Routines("function f(k: 0..f(1)): t; begin return 1; end;")
            .says("cannot be called where its parameters are declared"));
}

TEST_CASE("a parameter with the name of a type hides it in the body only") {
  const Routines p("function f(t: boolean; u: t): t; begin return t ? u : 0; end;");
  CHECK(p.messages == "");
  CHECK(p.ok());
}

TEST_CASE("rumur's separators are optional, and an end word may be the other one's") {
  CHECK(Routines("function f(a: t b: t): t begin return a; endprocedure").ok());
  CHECK(Routines("procedure f() begin endfunction").ok());
  CHECK(Routines("procedure f() begin endif").says("the 'end' of 'procedure'"));
}

TEST_CASE("a copy of what the routine changes is pointed out once") {
  const Routines p(
      "procedure f(a: t); begin x := 3; y := a; end; rule begin f(x); f(x); end; rule begin f(y); "
      "end;");
  CHECK(p.ok());
  CHECK(p.warnings() == 1);
  CHECK(p.says("'f' may change 'x', and has a copy of it here; CMurphi would let it see"));
  CHECK(Routines("procedure f(a: 0..5); begin x := 3; end; rule begin f(x); end;").warnings() == 0);
}

TEST_CASE("external routines are refused") {
  CHECK(Routines("externfun f(): t;").says("external procedures and functions are not supported"));
}

}  // namespace routine_test
