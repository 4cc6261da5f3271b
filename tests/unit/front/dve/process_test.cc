// Processes: states, marks, assertions, transitions, effects.
#include <doctest/doctest.h>

#include <string>

#include "parsed.h"
#include "xmc/limits.h"

using namespace xmc;

namespace process_test {

using test::Parsed;
using test::print;

namespace {

// A process body between fixed declarations.
struct Body : Parsed {
  explicit Body(std::string_view body)
      : Parsed(
            "byte x, y, a[3]; const int K = 5; channel c, d; channel {byte, int} t[2], u[0];\n"
            "process P {\n" +
            std::string(body) + "\n}\nprocess R { state s; init s; }\nsystem async;") {}
  const dve::Transition& transition(u32 i) const { return system.transitions[i]; }
  std::string_view text(const dve::Transition& t) const {
    return source.text.substr(t.text_begin, t.text_end - t.text_begin);
  }
};

struct Parts : Body {
  explicit Parts(std::string_view parts)
      : Body("byte l; state q, r; init q; trans q -> r { " + std::string(parts) + " };") {}
};

}  // namespace

TEST_CASE("states and their marks") {
  const Body b("state q, r, s; commit r; accept buchi q, s; init s;");
  REQUIRE(b.ok());
  const dve::Process& p = b.system.processes[0];
  CHECK(p.name == "P");
  CHECK(p.line == 2);
  CHECK(p.state_count == 3);
  CHECK(p.initial == 2);
  CHECK(b.system.states[p.first_state + 1].committed);
  CHECK_FALSE(b.system.states[p.first_state].committed);
  CHECK(b.system.states[p.first_state].accepting);
  CHECK(b.system.states[p.first_state + 2].accepting);
  CHECK(b.system.processes[1].first_state == 3);
}

TEST_CASE("init is the first or the last mark") {
  CHECK(Body("state q; init q; accept q; commit q;").ok());
  CHECK(Body("state q; accept q; commit q; init q;").ok());
  CHECK(Body("state q; accept q; init q; commit q;").says("'init' stands between the marks"));
  CHECK(Body("state q; init q; init q;").says("a process has one 'init' at most"));
  CHECK(Body("state q; init q; commit q; commit q;").says("a process has one 'commit' at most"));
  CHECK(Body("state q;").says("process 'P' has no initial state; add: init q;"));
  CHECK(Body("state q, r; init q, r;").says("a process has one initial state only"));
  CHECK(Body("").says("process 'P' has no states"));
  CHECK(Body("state q; init z;").says("unknown state 'z'"));
  CHECK(Body("byte v; state q; init v;").says("'v' is a variable, not a state"));
  CHECK(Body("state q; init x;").says("unknown state 'x'"));
}

TEST_CASE("other kinds of acceptance are refused by name") {
  for (const char* word : {"genbuchi", "muller", "rabin", "streett"}) {
    const Body b("state q; init q; accept " + std::string(word) + " (q), (q); trans q -> q {};");
    CHECK(b.says("acceptance '" + std::string(word) + "' is not supported"));
    CHECK(b.errors() == 1);
  }
}

TEST_CASE("sections have an order") {
  CHECK(Body("state q; byte v; init q;").says("'byte' comes too late"));
  CHECK(Body("state q; init q; trans q -> q {}; assert q: 1;").says("'assert' comes too late"));
  CHECK(Body("state q; state r; init q;").says("a process has one 'state' at most"));
  CHECK(Body("state q; init q; trans q -> q {}; trans q -> q {};")
            .says("a process has one 'trans' at most"));
  CHECK(Body("state q; init q; junk;").says("expected a declaration, 'state', 'init'"));
}

TEST_CASE("locals hide globals, states share their name space") {
  const Body b("byte x = 7; state y; init y; trans y -> y { guard x == 7; };");
  REQUIRE(b.ok());
  CHECK(print(b.system, b.transition(0).guard) == "(P->x == 7)");
  const Body clash("byte q; state q, r; init q; trans q -> r {}, r -> q { guard q; };");
  CHECK(clash.says("'q' is already the name of a variable"));
  CHECK(clash.errors() == 1);
}

TEST_CASE("assertions") {
  const Body b("state q, r; init q; assert q: x < 3, r: (P.r) or y,\n q: 1;");
  REQUIRE(b.ok());
  REQUIRE(b.system.assertions.size() == 3);
  const dve::Assertion& second = b.system.assertions[1];
  CHECK(second.state == 1);
  CHECK(print(b.system, second.condition) == "(P.r or y)");
  CHECK(b.source.text.substr(second.text_begin, second.text_end - second.text_begin) ==
        "(P.r) or y");
  CHECK(b.system.assertions[2].line == 4);
  CHECK(Body("state q; init q; assert z: 1;").says("unknown state 'z'"));
  CHECK(Body("state q; init q; assert q 1;").says("expected ':' before '1'"));
}

TEST_CASE("transitions keep their parts and their text") {
  const Body b(
      "byte l; state q, r; init q; trans\n"
      "  q -> r { guard x < K; sync c!x + 1; effect x = x + 1, a[x] = l, a = 2; },\n"
      "  -> q { },\n"
      "  r -> q { sync c?l; effect l = 0; }, -> r {};");
  REQUIRE(b.ok());
  REQUIRE(b.system.processes[0].transition_count == 4);
  const dve::Transition& t = b.transition(0);
  CHECK(t.source == 0);
  CHECK(t.target == 1);
  CHECK(t.line == 4);
  CHECK(b.text(t) == "q -> r { guard x < K; sync c!x + 1; effect x = x + 1, a[x] = l, a = 2; }");
  CHECK(print(b.system, t.guard) == "(x < 5)");
  CHECK(t.sync == dve::Sync::send);
  CHECK(b.system.channels[t.channel].name == "c");
  CHECK(t.value_count == 1);
  CHECK(print(b.system, b.system.sent[t.first_value]) == "(x + 1)");
  REQUIRE(t.assignment_count == 3);
  const dve::Assignment& second = b.system.assignments[t.first_assignment + 1];
  CHECK(b.system.variables[second.target.variable].name == "a");
  CHECK(print(b.system, second.target.index) == "x");
  CHECK(print(b.system, second.value) == "P->l");
  CHECK(b.system.assignments[t.first_assignment + 2].target.index == kNone);
  CHECK(b.text(b.transition(1)) == "-> q { }");
  CHECK(b.transition(1).source == 0);
  CHECK(b.transition(1).guard == kNone);
  CHECK(b.transition(1).sync == dve::Sync::none);
  const dve::Transition& receive = b.transition(2);
  CHECK(receive.sync == dve::Sync::receive);
  CHECK(b.system.variables[b.system.received[receive.first_value].variable].name == "l");
  CHECK(b.transition(3).source == 1);
}

TEST_CASE("mistakes in the frame of a transition") {
  CHECK(Body("state q; init q; trans -> q {};")
            .says("the first transition of a process must name its source state"));
  CHECK(Body("state q; init q; trans q => q {};").says("'=>' starts a probabilistic transition"));
  CHECK(Body("state q; init q; trans q -> z {}, q -> z {}, z -> q {};").errors() == 1);
  CHECK(Body("state q; init q; trans q -> q {} q -> q {};")
            .says("expected ',' between transitions before 'q'"));
  CHECK(Body("state q; init q; trans q -> q {}").says("expected ',' or ';' after a transition"));
  CHECK(Body("state q; init q; trans ;").says("expected a transition before ';'"));
  CHECK(Parts("effect x = 1; guard x;")
            .says("guard, sync and effect at most once and in this order"));
  CHECK(Parts("guard x; guard y;").says("at most once"));
  CHECK(Parts("if x;").says("expected 'guard', 'sync', 'effect' or '}' before 'if'"));
}

TEST_CASE("several independent mistakes are all shown, and nothing else") {
  const Body b(
      "state q; init q; trans\n"
      " q -> q { guard x +; effect y = nix; },\n"
      " q > q { guard 1; },\n"
      " q -> q { sync c!{1,,2}; effect K = 1; },\n"
      " q -> q { guard (x; sync e?; };");
  CHECK(b.errors() == 7);
  CHECK(b.says(":4:20: error: expected an expression before ';'"));
  CHECK(b.says("unknown variable 'nix'"));
  CHECK(b.says("expected '->' before '>'"));
  CHECK(b.says("expected an expression before ','"));
  CHECK(b.says("'K' is a constant and cannot be assigned"));
  CHECK(b.says("expected ')' before ';'"));
  CHECK(b.says("unknown channel 'e'"));
}

TEST_CASE("effects assign variables only") {
  CHECK(Parts("effect K = 1;").says("'K' is a constant and cannot be assigned"));
  CHECK(Parts("effect c = 1;").says("'c' is a channel, not a variable"));
  CHECK(Parts("effect q = 1;").says("'q' is a state, not a variable"));
  CHECK(
      Parts("effect R->s = 1;").says("only the process' own and global variables can be assigned"));
  CHECK(Parts("effect x++;").says("'++' is not an operator of DVE; write x = x + 1"));
  CHECK(Parts("effect x[0] = 1;").says("'x' is not an array"));
  CHECK(Parts("effect x == 1;").says("expected '=' before '=='"));
  CHECK(Parts("effect x = y = 1;").says("'=' only assigns"));
  CHECK(Parts("effect ;").says("expected the name of a variable before ';'"));
  CHECK(Parts("effect a[3] = 1;").says("index 3 is outside 'a'"));
  CHECK(Parts("effect a[3] = 1;").ok());
}

TEST_CASE("synchronisations agree on the number of values") {
  CHECK(
      Body("byte l; state q; init q; trans q -> q { sync c!{1, 2}; }, -> q { sync c?{l, a[l]}; };")
          .ok());
  const Body b("byte l; state q; init q; trans q -> q { sync c!1; },\n -> q { sync c?; };");
  CHECK(b.says(":4:14: error: 0 values on channel 'c', which carries 1 elsewhere"));
  CHECK(b.says(":3:46: note: this is its first use"));
  CHECK(Parts("sync t!{1, 2};").ok());
  CHECK(Parts("sync t!;").ok());
  CHECK(Parts("sync t!1;").says("1 value on channel 't', which is declared with 2 types"));
  CHECK(Parts("sync u?{x, y, l};").says("3 values on channel 'u'"));
  const Body mixed(
      "state q; init q; trans q -> q { sync t!{1, 2}; }, -> q { sync t?; }, -> q { sync t!; };");
  CHECK(mixed.ok());
  CHECK(mixed.warnings() == 1);
  CHECK(mixed.says("channel 't' is used with values and without"));
  const Body untyped("state q; init q; trans q -> q { sync c!{1, 2, 3}; };");
  CHECK(untyped.system.channels[0].value_count == 3);
  CHECK(untyped.system.channels[1].value_count == 0);
}

TEST_CASE("the shape of a synchronisation") {
  CHECK(Parts("sync x!;").says("'x' is a variable, not a channel"));
  CHECK(Parts("sync nix!;").says("unknown channel 'nix'"));
  CHECK(Parts("sync c;").says("expected '!' or '?' before ';'"));
  CHECK(Parts("sync c?5;").says("expected the name of a variable before '5'"));
  CHECK(Parts("sync c?K;").says("'K' is a constant and cannot be assigned"));
  CHECK(Parts("sync c?x + 1;").says("expected ';' before '+'"));
  CHECK(Parts("sync c!{};").says("expected an expression before '}'"));
  CHECK(Parts("sync c!1, 2;").says("expected ';' before ','"));
  std::string many = "1";
  for (u32 i = 1; i < limits::kSyncValues; ++i) many += ", 1";
  CHECK(Parts("sync c!{" + many + "};").ok());
  CHECK(Parts("sync c!{" + many + ", 1};").says("carries at most 64 values"));
}

}  // namespace process_test
