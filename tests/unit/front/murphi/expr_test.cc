// Expressions: how tightly operators bind, what types they take, what is known before the run.
#include <doctest/doctest.h>

#include <string>

#include "murphi_parsed.h"
#include "xmc/limits.h"

using namespace xmc;

namespace expr_test {

using test::kRumur;
using test::MurphiGuard;

TEST_CASE("operators bind as the table says") {
  CHECK(MurphiGuard("! x = y").tree() == "(!(x = y))");
  CHECK(MurphiGuard("! p & q").tree() == "((!p) & q)");
  CHECK(MurphiGuard("p | q & p").tree() == "(p | (q & p))");
  CHECK(MurphiGuard("p -> q | p").tree() == "(p -> (q | p))");
  CHECK(MurphiGuard("-x * y + 1 < 3").tree() == "((((-x) * y) + 1) < 3)");
  CHECK(MurphiGuard("x - y - 1 = x / y % 2").tree() == "(((x - y) - 1) = ((x / y) % 2))");
  CHECK(MurphiGuard("x + y << 1 > 2").tree() == "(((x + y) << 1) > 2)");
  CHECK(MurphiGuard("p = !q & p").tree() == "((p = (!q)) & p)");
  CHECK(MurphiGuard("p ? q : p & q").tree() == "(p ? q : (p & q))");
  CHECK(MurphiGuard("(p ? x : y) = 1").tree() == "((p ? x : y) = 1)");
  CHECK(MurphiGuard("p ? q ? p : q : p").tree() == "(p ? (q ? p : q) : p)");
  CHECK(MurphiGuard("p || q && p").tree() == "(p | (q & p))");
  CHECK(MurphiGuard("+x == -y").tree() == "(x = (-y))");
}

TEST_CASE("what has no order among itself needs parentheses") {
  CHECK(MurphiGuard("p -> q -> p").says("'->' cannot be chained; write parentheses"));
  CHECK(MurphiGuard("p -> (q -> p)").tree() == "(p -> (q -> p))");
  CHECK(MurphiGuard("p ? q : p ? q : p").says("'?' cannot be chained"));
  CHECK(MurphiGuard("x < y < 3").says("'<' cannot be chained"));
  CHECK(MurphiGuard("p = q = p").says("'=' cannot be chained"));
}

TEST_CASE("constants are folded, errors of the run stay in the tree") {
  CHECK(MurphiGuard("K + 2 * 3 = 11").tree() == "true");
  CHECK(MurphiGuard("false & x / 0 = 1").tree() == "false");
  CHECK(MurphiGuard("x = 1 / 0").tree() == "(x = (1 / 0))");
  CHECK(MurphiGuard("x = 9223372036854775807 + 1").tree() == "(x = (9223372036854775807 + 1))");
  CHECK(MurphiGuard("A = B").tree() == "false");
  CHECK(MurphiGuard("(true ? 1 : x) = x").tree() == "(1 = x)");
  CHECK(MurphiGuard("(true ? 1 : 2) = x").tree() == "(1 = x)");
  CHECK(MurphiGuard("x = ~0").tree() == "(x = -1)");
}

TEST_CASE("operators take their types only") {
  CHECK(MurphiGuard("p + 1 = 2").says("'+' needs integers; this is of type boolean"));
  CHECK(MurphiGuard("c < B").says("only integers are ordered"));
  CHECK(MurphiGuard("i < j").says("'<' needs integers; this is of type 's'"));
  CHECK(MurphiGuard("x & p").says("an operand of '&' must be boolean; this is of type 't'"));
  CHECK(MurphiGuard("!x").says("the operand of '!' must be boolean"));
  CHECK(MurphiGuard("-p = 1").says("'-' needs an integer; this is of type boolean"));
  CHECK(MurphiGuard("+p").says("'+' needs an integer"));
  CHECK(MurphiGuard("x").says("a guard must be boolean; this is of type 't'"));
  CHECK(MurphiGuard("x = p").says("cannot compare a value of type 't' with one of type boolean"));
  CHECK(MurphiGuard("o = o").says("only simple values can be compared, not those of type 'r'"));
  CHECK(MurphiGuard("o = o", kRumur).tree() == "(o = o)");
  CHECK(MurphiGuard("x ? p : q").says("the condition of '?' must be boolean"));
  CHECK(MurphiGuard("p ? x : q").says("must be of one type; these are of types 't' and boolean"));
  CHECK(MurphiGuard("p & \"text\"").says("a text is no value"));
  CHECK(MurphiGuard("x = undefined").says("'undefined' can only be assigned or passed"));
}

TEST_CASE("integers have bitwise operators, for rumur also & and |") {
  CHECK(MurphiGuard("x ^ 1 << 2 = 3", kRumur).says("'^' needs integers"));
  CHECK(MurphiGuard("(x ^ 1) = 3").tree() == "((x ^b 1) = 3)");
  CHECK(MurphiGuard("(x & 1) = 1").says("must be boolean"));
  CHECK(MurphiGuard("(x & 1) = 1", kRumur).tree() == "((x &b 1) = 1)");
  CHECK(MurphiGuard("(x | 1) = 1", kRumur).tree() == "((x |b 1) = 1)");
  CHECK(MurphiGuard("(x && 1) = 1", kRumur).says("an operand of '&&' must be boolean"));
}

TEST_CASE("values change between a union and its parts in view of all") {
  CHECK(MurphiGuard("w = i").tree() == "(w = to(i))");
  CHECK(MurphiGuard("i = w").tree() == "(to(i) = w)");
  CHECK(MurphiGuard("w = B").tree() == "(w = #1)");
  CHECK(MurphiGuard("n[w] = A").tree() == "(n[from(w)] = A)");
  CHECK(MurphiGuard("(p ? i : w) = w").tree() == "((p ? to(i) : w) = w)");
  CHECK(MurphiGuard("i = c").says("cannot compare a value of type 's' with one of type 'e'"));
  CHECK(MurphiGuard("ismember(w, s)").tree() == "member?(w)");
  CHECK(MurphiGuard("IsMember(i, s)").tree() == "member?(i)");
  CHECK(MurphiGuard("ismember(c, s)").says("a value of type 'e' is never one of type 's'"));
  CHECK(MurphiGuard("ismember(w, t)").says("asks for an enum or a scalarset, not for type 't'"));
}

TEST_CASE("quantifiers") {
  CHECK(MurphiGuard("forall k: t do x = k end").tree() == "all k ((x = k))");
  CHECK(MurphiGuard("exists k: t; l: s do x = k & n[l] = A endexists").tree() ==
        "some k (some l (((x = k) & (n[l] = A))))");
  CHECK(MurphiGuard("forall k: 0..1 : x != k end").tree() == "all k ((x != k))");
  const MurphiGuard interval("forall k := x to y do x != k end");
  REQUIRE(interval.parsed.ok());
  const murphi::System& system = interval.parsed.system;
  const murphi::Variable& k = system.variables[system.expressions[system.rules[1].guard].a];
  CHECK(k.is_interval);
  CHECK(k.type == murphi::kIntegerType);
  CHECK(test::print(system, k.from) == "x");
  CHECK(test::print(system, k.to) == "y");
  CHECK(MurphiGuard("forall k := 3 to 2 do false end").tree() == "all k (false)");
  CHECK(MurphiGuard("forall k := 0 to 4 by 0 do p end").says("a step of 0 would never end"));
  CHECK(MurphiGuard("forall k := p to 4 do p end").says("a bound of the interval must be an"));
  CHECK(MurphiGuard("forall k: r do p end").says("'k' must be of a simple type, not of type 'r'"));
  CHECK(MurphiGuard("forall k: t do x end").says("what a quantifier says must be boolean"));
  CHECK(MurphiGuard("forall k: t do p endexists").says("the 'end' of 'forall'"));
  CHECK(MurphiGuard("(exists k: t do p end) & k = 1").says("unknown name 'k'"));
}

TEST_CASE("isundefined asks for a simple designator") {
  CHECK(MurphiGuard("isundefined(a[x].b)").tree() == "undefined?(a[x].b)");
  CHECK(MurphiGuard("isundefined(o)").says("asks for a simple value; this is of type 'r'"));
  CHECK(MurphiGuard("isundefined(x + 1)").says("asks for a variable, a field or an element"));
  CHECK(MurphiGuard("isundefined(F(x))").says("asks for a variable, a field or an element"));
}

TEST_CASE("names, fields and elements") {
  CHECK(MurphiGuard("a[x + 1].f = o.g").tree() == "(a[(x + 1)].f = o.g)");
  CHECK(MurphiGuard("X = 1").says("unknown name 'X'"));
  CHECK(MurphiGuard("X = 1").says("names are case-sensitive, and 'x' is declared here"));
  CHECK(MurphiGuard("t = 1").says("'t' is a type, not a value"));
  CHECK(MurphiGuard("F = 1").says("a call of it has parentheses"));
  CHECK(MurphiGuard("x.f = 1").says("this is of type 't', so it has no field 'f'"));
  CHECK(MurphiGuard("o.h = 1").says("type 'r' has no field 'h'"));
  CHECK(MurphiGuard("x[1] = 1").says("this is of type 't', so it has no elements"));
  CHECK(MurphiGuard("n[1] = A").says("this index needs a value of type 's'"));
  const MurphiGuard outside("a[12].b");
  CHECK(outside.parsed.ok());
  CHECK(outside.says("warning: this index needs a value of 't'; 12 is an error at run time"));
}

TEST_CASE("an unknown name is reported once") {
  const MurphiGuard twice("nix = 1 & nix = 2 | unbekannt");
  CHECK(twice.parsed.errors() == 2);
}

TEST_CASE("deep expressions end with a message") {
  const std::string open(limits::kExpressionDepth + 1, '(');
  CHECK(MurphiGuard(open + "p" + std::string(open.size(), ')'))
            .says("expressions nested deeper than 256 levels; split them"));
  std::string chain = "x";
  for (u32 i = 0; i < limits::kTreeDepth + 1; ++i) chain += " + x";
  CHECK(MurphiGuard(chain + " = 1").says("an expression of more than 1000 levels; split it"));
  std::string minus;
  for (u32 i = 0; i < limits::kExpressionDepth + 1; ++i) minus += "- ";
  CHECK(MurphiGuard(minus + "x = 1").says("nested deeper than 256 levels"));
}

}  // namespace expr_test
