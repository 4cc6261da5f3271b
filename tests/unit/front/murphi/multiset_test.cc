// Multisets: their elements are chosen, never numbered.
#include <doctest/doctest.h>

#include <string>

#include "murphi_parsed.h"

using namespace xmc;

namespace multiset_test {

using murphi::StmtOp;
using test::MurphiBody;
using test::MurphiGuard;
using test::ParsedMurphi;
using test::with_rule;

TEST_CASE("elements are counted by a condition on them") {
  CHECK(MurphiGuard("multisetcount(k: m, m[k].f = 1) < 2").tree() ==
        "(count k ((m[k].f = 1)) < 2)");
  CHECK(MurphiGuard("MultisetCount (k: m, true) = 0").tree() == "(count k (true) = 0)");
  CHECK(MurphiGuard("multisetcount(k: a, true) = 0").says("chosen from a multiset; this is of"));
  CHECK(MurphiGuard("multisetcount(k: m, m[k].f) = 0").says("of multisetcount must be boolean"));
}

TEST_CASE("elements come and go") {
  const MurphiBody b("multisetadd(o, m); multisetremovepred(k: m, m[k].b);");
  REQUIRE(b.ok());
  CHECK(b.statement().op == StmtOp::add);
  CHECK(b.at(b.statement().next).op == StmtOp::remove_if);
  CHECK(MurphiBody("multisetadd(x, m);").says("the multiset needs a value of type 'r'"));
  CHECK(MurphiBody("multisetadd(o, a);").says("this must be a multiset; it is of type 'v'"));
  const ParsedMurphi p(
      with_rule("choose k: m do rule m[k].b ==> begin multisetremove(k, m); end; "
                "endchoose;"));
  REQUIRE(p.ok());
  CHECK(p.system.statements[p.system.rules[1].body].op == StmtOp::remove);
}

TEST_CASE("a choice is for its own multiset and nothing else") {
  const auto choosing = [](std::string_view body) {
    return with_rule("ruleset h: 0..1 do choose k: m do rule begin " + std::string(body) +
                     " end; end; end;");
  };
  CHECK(ParsedMurphi(choosing("o := m[k];")).ok());
  CHECK(ParsedMurphi(choosing("alias g: m do o := g[k]; multisetremove(k, g); end;")).ok());
  CHECK(ParsedMurphi(choosing("o := m[1];")).says("is chosen by a variable of choose"));
  CHECK(
      ParsedMurphi(choosing("x := k;")).says("needs a value of type 't'; this is of type choice"));
  CHECK(ParsedMurphi(choosing("o := a[k];")).says("this index needs a value of type 't'"));
  CHECK(ParsedMurphi(choosing("if k = k then end;")).says("only simple values can be compared"));
  CHECK(ParsedMurphi(choosing("alias g: k do end;")).says("the choice of an element has no alias"));
  CHECK(ParsedMurphi(choosing("k := k;")).says("chooses an element and cannot be changed"));
}

TEST_CASE("multisets are told apart by their place in the state") {
  const auto two = [](std::string_view body) {
    return "type b: multiset [2] of boolean; var a: array [0..1] of b; i: 0..1;\n"
           "startstate begin end; ruleset h: 0..1 do choose k: a[h] do rule begin " +
           std::string(body) + " end; end; end;";
  };
  CHECK(ParsedMurphi(two("multisetremove(k, a[h]);")).ok());
  CHECK(ParsedMurphi(two("alias g: a[h] do multisetremove(k, g); end;")).ok());
  CHECK(ParsedMurphi(two("multisetremove(k, a[0]);")).says("chooses an element of another"));
  CHECK(ParsedMurphi(two("multisetremove(k, a[i]);")).says("chooses an element of another"));
}

}  // namespace multiset_test
