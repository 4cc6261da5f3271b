// Checks over a whole system: the property process, P->x, conflicting effects.
#include "front/dve/dve_check.h"

#include <doctest/doctest.h>

#include <string>

#include "parsed.h"

using namespace xmc;

namespace check_test {

using test::Parsed;
using test::print;

namespace {

constexpr std::string_view kSystem =
    "byte g; channel c;\n"
    "process P { byte v, w[2]; const int k = 9; state q; init q; trans q -> q { effect v = 1; }; "
    "}\n";

struct Property : Parsed {
  explicit Property(std::string_view body)
      : Parsed(std::string(kSystem) +
               "process X { byte l; state a, b; init a; accept b; trans a -> b { " +
               std::string(body) + " }; }\nsystem async property X;") {}
};

}  // namespace

TEST_CASE("a property process only watches") {
  const Property good("guard P.q and P->v == 1 and P->w[g] == P->k; effect l = l + g;");
  REQUIRE(good.ok());
  CHECK(good.system.property == 1);
  CHECK(print(good.system, good.system.transitions[1].guard) ==
        "((P.q and (P->v == 1)) and (P->w[g] == 9))");
  const Property sends("sync c!;");
  CHECK(sends.says(":3:57: error: the property process sends on 'c', but it may only watch"));
  CHECK(Property("sync c?;").says("the property process receives from 'c'"));
  CHECK(Property("effect l = 1, g = 1;").says("the property process assigns the global 'g'"));
}

TEST_CASE("a property has something to watch and to accept") {
  const Parsed none("process X { state a; init a; } system async property X;");
  CHECK(none.says("there is no process beside the property 'X'"));
  CHECK_FALSE(none.ok());
  const Parsed blind(
      "process P { state a; init a; } process X { state a; init a; } system async property X;");
  CHECK(blind.ok());
  CHECK(blind.says("property 'X' has no accepting state, so it cannot be violated"));
}

TEST_CASE("a process that the file does not call the property can be checked as one") {
  Parsed p(std::string(kSystem) +
           "process A { state a; init a; accept a; trans a -> a {}; }\n"
           "process B { state a; init a; accept a; trans a -> a { sync c?; }, a -> a { effect g = "
           "1; }; }\n"
           "system async;");
  REQUIRE(p.ok());
  CHECK(dve::find_process(p.system, "A") == 1);
  CHECK(dve::find_process(p.system, "B") == 2);
  CHECK(dve::find_process(p.system, "C") == kNone);
  CHECK(dve::find_process(p.system, "") == kNone);
  CHECK(dve::check_property(p.source, p.diagnostics, p.system, 1).ok());
  const Status status = dve::check_property(p.source, p.diagnostics, p.system, 2);
  CHECK(status.code() == Code::model);
  CHECK(p.errors() == 2);
}

TEST_CASE("P->x belongs to the property and to earlier processes") {
  const std::string body = "process Y { state a; init a; trans a -> a { guard P->v; }; }\n";
  CHECK(Parsed(std::string(kSystem) + body + "system async property Y;").ok());
  const Parsed elsewhere(std::string(kSystem) + body + "system async;");
  CHECK(elsewhere.says(
      ":3:51: error: variables of another process can be read in the property process only"));
  CHECK(Property("guard Z->v;").says("no process 'Z' is declared before this use"));
  CHECK(Property("guard P->nix;").says("process 'P' has no variable 'nix'"));
  CHECK(Property("guard P->q;").says("process 'P' has no variable 'q'"));
  CHECK(Property("guard g->q;").says("'g' is a variable, not a process"));
  CHECK(Property("guard P->v[1];").says("'v' is not an array"));
  const Parsed later(
      "process X { state a; init a; accept a; trans a -> a { guard P->v; }; }\n" +
      std::string("process P { byte v; state q; init q; }\nsystem async property X;"));
  CHECK(later.says("no process 'P' is declared before this use"));
}

TEST_CASE("both sides of a rendezvous assigning one global is a warning") {
  const auto model = [](std::string_view sender, std::string_view receiver, std::string_view more) {
    return "byte g, h, a[2]; channel c; channel {byte} t[1];\nprocess S { state s; init s; trans s "
           "-> s { " +
           std::string(sender) + " }; }\nprocess R { byte l; state r; init r; trans r -> r { " +
           std::string(receiver) + " }" + std::string(more) + "; }\nsystem async;";
  };
  const Parsed both(model("sync c!; effect g = 1;", "sync c?; effect h = 1, g = 2;", ""));
  CHECK(both.ok());
  CHECK(both.warnings() == 1);
  CHECK(both.says(":2:36: warning: sender and receiver of 'c' may both assign 'g'"));
  CHECK(both.says(":3:44: note: a receiver that assigns it"));
  CHECK(Parsed(model("sync c!; effect a[0] = 1;", "sync c?; effect a[1] = 2;", "")).warnings() ==
        1);
  CHECK(Parsed(model("sync c!; effect g = 1;", "sync c?; effect h = 1;", "")).warnings() == 0);
  CHECK(Parsed(model("sync c!g; effect g = 1;", "sync c?g; effect l = 1;", "")).warnings() == 0);
  CHECK(Parsed(model("sync t!1; effect g = 1;", "sync t?l; effect g = 1;", "")).warnings() == 0);
  // A process does not synchronise with itself.
  CHECK(Parsed(model("", "sync c?; effect g = 1;", ", r -> r { sync c!; effect g = 2; }"))
            .warnings() == 0);
}

TEST_CASE("expressions of the command line") {
  Parsed p(std::string(kSystem) + "process Q { state s, t; init s; }\nsystem async;");
  REQUIRE(p.ok());
  const auto parse = [&p](std::string_view text, std::string& messages) {
    const test::ExactText exact(text);
    const Source source{"--invariant", exact.view()};
    Diagnostics diagnostics(source, test::collect, &messages);
    const Result<dve::ExprId> made = dve::parse_expression(source, diagnostics, p.arena, p.system);
    return made.ok() ? print(p.system, made.value()) : std::string("error");
  };
  std::string m;
  CHECK(parse("g < 3 and (P->v == P->k or Q.t)", m) == "((g < 3) and ((P->v == 9) or Q.t))");
  CHECK(parse("P->w[g + 1]", m) == "P->w[(g + 1)]");
  CHECK(m.empty());
  CHECK(parse("v == 1", m) == "error");
  CHECK(
      m ==
      "--invariant:1:1: error: unknown variable 'v'\n    1 | v == 1\n      | ^\n"
      "--invariant:1:1: note: a local variable is written PROCESS->v\n    1 | v == 1\n      | ^\n");
  m.clear();
  CHECK(parse("Z.q", m) == "error");
  CHECK(m.find("unknown process 'Z'") != std::string::npos);
  CHECK(parse("P.nix", m) == "error");
  CHECK(parse("g 1", m) == "error");
  CHECK(m.find("this does not continue the expression") != std::string::npos);
  CHECK(parse("", m) == "error");
  CHECK(parse("c", m) == "error");
  const u32 before = p.system.expressions.size();
  CHECK(parse("g < 3", m) == "(g < 3)");
  CHECK(p.system.expressions.size() == before);
}

}  // namespace check_test
