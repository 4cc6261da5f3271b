// Expressions of the model: precedence, names, folding, sharing, depth.
#include <doctest/doctest.h>

#include <string>

#include "parsed.h"
#include "xmc/limits.h"

using namespace xmc;

namespace expr_test {

using test::Guard;
using test::Parsed;

namespace {

std::string repeat(std::string_view piece, u32 times) {
  std::string out;
  for (u32 i = 0; i < times; ++i) out += piece;
  return out;
}

bool warns(std::string_view guard) {
  const Guard g(guard);
  REQUIRE(g.parsed.ok());
  return g.parsed.warnings() != 0;
}

}  // namespace

TEST_CASE("precedence follows the documented table") {
  CHECK(Guard("x imply y imply i").tree() == "((x imply y) imply i)");
  CHECK(Guard("x imply y or i").tree() == "(x imply (y or i))");
  CHECK(Guard("x or y and i").tree() == "(x or (y and i))");
  CHECK(Guard("x and y or i").tree() == "((x and y) or i)");
  CHECK(Guard("x and y | i").tree() == "(x and (y | i))");
  CHECK(Guard("x | y ^ i & j").tree() == "(x | (y ^ (i & j)))");
  CHECK(Guard("x & y ^ i | j").tree() == "(((x & y) ^ i) | j)");
  CHECK(Guard("x & y == i").tree() == "(x & (y == i))");
  CHECK(Guard("x == y < i").tree() == "(x == (y < i))");
  CHECK(Guard("x < y == i >= j").tree() == "((x < y) == (i >= j))");
  CHECK(Guard("x < y << i + j * k").tree() == "(x < (y << (i + (j * k))))");
  CHECK(Guard("x * y + i << j < k").tree() == "((((x * y) + i) << j) < k)");
  CHECK(Guard("x - y - i").tree() == "((x - y) - i)");
  CHECK(Guard("x / y % i * j").tree() == "(((x / y) % i) * j)");
  CHECK(Guard("x >> y << i").tree() == "((x >> y) << i)");
  CHECK(Guard("-x * ~y + not i").tree() == "(((-x) * (~y)) + (not i))");
  CHECK(Guard("not not - - x").tree() == "(not (not (-(-x))))");
  CHECK(Guard("(x or y) and i && j || k").tree() == "((((x or y) and i) and j) or k)");
  CHECK(Guard("x<-1").tree() == "(x < -1)");
}

TEST_CASE("a mix that other tools read differently is a warning") {
  CHECK(warns("x or y and i"));
  CHECK(warns("x and y or i and j"));
  CHECK(warns("x | y & i"));
  CHECK(warns("x | y ^ i"));
  CHECK(warns("x & y == i"));
  CHECK(warns("x < y | i"));
  CHECK(warns("not x < y"));
  CHECK(warns("not x == y"));
  CHECK(warns("not x + 1 < y"));
}

TEST_CASE("a mix that all tools read alike, or with parentheses, is none") {
  CHECK_FALSE(warns("x and y or i"));
  CHECK_FALSE(warns("x or (y and i)"));
  CHECK_FALSE(warns("x and y and i"));
  CHECK_FALSE(warns("x & y | i"));
  CHECK_FALSE(warns("x | (y & i)"));
  CHECK_FALSE(warns("x | y | i"));
  CHECK_FALSE(warns("(x & y) == i"));
  CHECK_FALSE(warns("not (x < y)"));
  CHECK_FALSE(warns("(not x) < y"));
  CHECK_FALSE(warns("not x and y < 1"));
  CHECK_FALSE(warns("x < not y"));
  CHECK_FALSE(warns("not (x == y) and x < y"));
}

TEST_CASE("constants and operations on literals fold") {
  CHECK(Guard("K + 1").tree() == "6");
  CHECK(Guard("T[1] * T[2]").tree() == "72");
  CHECK(Guard("T[x]").tree() == "T[x]");
  CHECK(Guard("true and false").tree() == "0");
  CHECK(Guard("-32768 == - 32768").tree() == "1");
  CHECK(Guard("2147483647 + 1").tree() == "-2147483648");
  CHECK(Guard("1 << 33").tree() == "2");
  CHECK(Guard("7 / 2 - 7 % 4").tree() == "0");
  CHECK(Guard("x + 1 + 2").tree() == "((x + 1) + 2)");
  CHECK(Guard("x * 0").tree() == "(x * 0)");
}

TEST_CASE("folding never hides a run-time error") {
  CHECK(Guard("1 / 0").tree() == "(1 / 0)");
  CHECK(Guard("1 % (K - 5)").tree() == "(1 % 0)");
  CHECK(Guard("1 / 0 * 0").tree() == "((1 / 0) * 0)");
  CHECK(Guard("1 / 0 and 0").tree() == "((1 / 0) and 0)");
  CHECK(Guard("x and 0").tree() == "(x and 0)");
  CHECK(Guard("1 and x").tree() == "(1 and x)");
  CHECK(Guard("0 and 1 / 0").tree() == "0");
  CHECK(Guard("2 or x").tree() == "1");
  CHECK(Guard("0 imply x").tree() == "1");
  const Guard g("T[3] + a[3] + a[-1]");
  CHECK(g.tree() == "((T[3] + a[3]) + a[-1])");
  CHECK(g.parsed.warnings() == 3);
  CHECK(g.parsed.says("index 3 is outside 'T', which has 3 elements"));
  CHECK(g.parsed.says("index -1 is outside 'a'"));
}

TEST_CASE("an array without index is its first element, said once") {
  const Guard g("a + a + T");
  CHECK(g.tree() == "((a + a) + 7)");
  CHECK(g.parsed.warnings() == 2);
}

TEST_CASE("names: locals, states, forward references") {
  CHECK(Guard("l + m[l]").tree() == "(P->l + P->m[P->l])");
  CHECK(Guard("P.q + Q.t").tree() == "(P.q + Q.t)");
  CHECK(Guard("Q.s and Q.s and Q.t").tree() == "((Q.s and Q.s) and Q.t)");
  CHECK(Guard("Q.u").parsed.says("process 'Q' has no state 'u'"));
  CHECK(Guard("P.u").parsed.says("process 'P' has no state 'u'"));
  const Guard missing("Z.u or Z.v");
  CHECK(missing.parsed.says("unknown process 'Z'"));
  CHECK(missing.parsed.errors() == 1);
  CHECK(Guard("x.q").parsed.says("'x' is a variable, not a process"));
  CHECK(Guard("q").parsed.says("'q' is a state, not a variable"));
  CHECK(Guard("c").parsed.says("'c' is a channel, not a variable"));
  CHECK(Guard("P").parsed.says("'P' is a process, not a variable"));
  CHECK(Guard("x[1]").parsed.says("'x' is not an array"));
  const Guard unknown("nix + nix * 2 < nix");
  CHECK(unknown.parsed.errors() == 1);
  CHECK(unknown.parsed.says("unknown variable 'nix'"));
}

TEST_CASE("equal subtrees are one node") {
  const Guard g("(i + j * k == 3) or (i + j * k == 4)");
  REQUIRE(g.parsed.ok());
  const dve::System& system = g.parsed.system;
  const dve::Expr& top = system.expressions[system.transitions[0].guard];
  CHECK(system.expressions[top.a].a == system.expressions[top.b].a);
  const Guard once("i + j * k == 3");
  const Guard often("(i + j * k == 3)" + repeat(" and (i + j * k == 3)", 500));
  CHECK(often.parsed.system.expressions.size() == once.parsed.system.expressions.size() + 500);
  const Guard forward("Q.s");
  const Guard forwards("Q.s" + repeat(" + Q.s", 3));
  CHECK(forwards.parsed.system.expressions.size() == forward.parsed.system.expressions.size() + 3);
}

TEST_CASE("long chains do not nest") {
  const Guard g("x" + repeat(" + 1", 100000));
  CHECK(g.parsed.ok());
  CHECK(Guard("x" + repeat(" - y * 2", 50000)).parsed.ok());
}

TEST_CASE("nesting is limited") {
  const u32 limit = limits::kExpressionDepth;
  CHECK(Guard(repeat("(", limit) + "x" + repeat(")", limit)).parsed.ok());
  const Guard deep(repeat("(", limit + 1) + "x" + repeat(")", limit + 1));
  CHECK(deep.parsed.says("expression nested deeper than 256 levels; split it"));
  CHECK(deep.parsed.errors() == 1);
  CHECK(Guard(repeat("- ", limit) + "x").parsed.ok());
  CHECK(Guard(repeat("not ", limit + 1) + "x").parsed.says("nested deeper"));
  CHECK(Guard(repeat("x+(", limit) + "x" + repeat(")", limit)).parsed.ok());
  CHECK(Guard(repeat("a[", 300) + "x" + repeat("]", 300)).parsed.says("nested deeper"));
  CHECK(Guard(repeat("(", 1000000)).parsed.says("nested deeper"));
  CHECK(Guard(repeat("~", 1000000)).parsed.says("nested deeper"));
}

TEST_CASE("signs of other languages get advice") {
  CHECK(Guard("!x").parsed.says("negation is written 'not'"));
  CHECK(Guard("x => y").parsed.says("implication is written 'imply'"));
  CHECK(Guard("x = y").parsed.says("a comparison is written '=='"));
  CHECK(Guard("x++").parsed.says("'++' is not an operator"));
  CHECK(Guard("--x").parsed.says("'--' is not an operator"));
  CHECK(Guard("x--1").parsed.says("'--' is not an operator"));
  CHECK(Guard("x and").parsed.says("expected an expression before ';'"));
  CHECK(Guard("(x").parsed.says("expected ')' before ';'"));
  CHECK(Guard("").parsed.says("expected an expression"));
  CHECK(Guard("x y").parsed.says("expected ';' before 'y'"));
}

}  // namespace expr_test
