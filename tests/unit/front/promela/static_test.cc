// Every mistake that is found in a text, and where it stands.
#include <doctest/doctest.h>

#include <string>

#include "promela_parsed.h"

using namespace xmc;

namespace static_test {

using test::ParsedPromela;

namespace {

struct Mistake {
  const char* text;
  const char* message;
};

void check_all(std::span<const Mistake> mistakes) {
  for (const Mistake& mistake : mistakes) {
    CAPTURE(mistake.text);
    const ParsedPromela parsed(mistake.text);
    CHECK_FALSE(parsed.ok());
    CAPTURE(parsed.messages);
    CHECK(parsed.says(mistake.message));
    CHECK(parsed.says("test.pml:"));
  }
}

}  // namespace

TEST_CASE("names") {
  static constexpr Mistake kMistakes[] = {
      {"init { x = 1 }", "1:8: error: unknown name 'x'"},
      {"byte x; byte x; init { skip }", "1:14: error: 'x' is already the name of a variable"},
      {"byte x; init { byte x; skip }", "already the name of a variable; a name hides no other"},
      {"byte x; init { { byte x; skip } }", "1:23: error: 'x' is already"},
      {"mtype = { a, a }; init { skip }", "already the name of a value of an mtype"},
      {"proctype P() { skip } proctype P() { skip } init { run P() }", "the name of a proctype"},
      {"inline f() { skip } inline f() { skip } init { f() }", "the name of an inline"},
      {"typedef T { byte a }; typedef T { byte a }; init { skip }", "the name of a typedef"},
      {"typedef T { byte a }; T t; init { t.b = 1 }", "typedef T has no field 'b'"},
      {"byte x; init { x.a = 1 }", "'x' has no fields"},
      {"byte x; init { x[1] = 1 }", "'x' is no array"},
      {"proctype P() { skip } init { P = 1 }", "'P' is no variable"},
      {"init { assert(Q@L) }", "unknown proctype 'Q'"},
      {"active proctype P() { assert(P@L) }", "proctype P has no label 'L'"},
      {"active proctype P() { assert(P:x) }", "proctype P has no variable 'x'"},
      {"byte init; init { skip }", "'init' is a keyword"},
  };
  check_all(kMistakes);
}

TEST_CASE("values and types") {
  static constexpr Mistake kMistakes[] = {
      {"byte a[0]; init { skip }", "1 to 4096 elements, not 0"},
      {"byte n = 3; byte a[n]; init { skip }", "a variable is no constant"},
      {"unsigned u : 33; init { skip }", "has 1 to 32 bits"},
      {"unsigned u; init { skip }", "needs its number of bits"},
      {"byte u : 3; init { skip }", "only 'unsigned' has"},
      {"byte x = 99999999999; init { skip }", "does not fit 32 bits"},
      {"byte x = 0x10; init { skip }", "numbers are decimal"},
      {"chan c = [1] of { byte }; init { c = c + 1 }", "no arithmetic on channels"},
      {"chan c = [1] of { byte }; init { -c }", "no arithmetic on channels"},
      {"chan c = [1] of { byte }; init { c }", "a channel is no condition"},
      {"byte x; init { x!1 }", "this is no channel"},
      {"byte x; init { len(x) }", "asks for a channel"},
      {"byte x = [1] of { byte }; init { skip }", "only a variable of type chan"},
      {"chan c = [1] of { unsigned }; init { skip }", "no 'unsigned' fields"},
      {"chan c = [300] of { byte }; init { skip }", "room for 0 to 255 messages"},
      {"chan c = [1] of { byte }; init { c!1,2 }", "have 1 value, not 2"},
      {"chan c = [1] of { byte }; byte x, y; init { c?x,y }", "have 1 value, not 2"},
      {"chan c = [1] of { byte, byte }; byte x; init { c?x,x }", "twice into the same"},
      {"byte a[3]; init { a[a[1]] = 2 }", "an array is not indexed with itself"},
      {"byte a[3]; init { a[1 + a[2]] = 2 }", "an array is not indexed with itself"},
      {"typedef T { byte a }; T t; init { t = 1 }", "a record has no value of its own"},
      {"typedef T { byte a }; T t = 1; init { skip }", "a record has no initial value"},
      {"typedef T { }; init { skip }", "a typedef has at least one field"},
      {"byte x = { 1, 2 }; init { skip }", "only an array begins with a list"},
      {"init { _pid = 3 }", "this cannot be assigned to"},
      {"init { _nr_pr++ }", "this cannot be assigned to"},
      {"init { _last = 1 }", "this cannot be assigned to"},
      {"mtype = { a }; init { a = 1 }", "expected ';' or '->' before '='"},
      {"byte x; init { x = _ }", "'_' has no value"},
  };
  check_all(kMistakes);
}

TEST_CASE("an mtype has at most 255 names") {
  std::string text = "mtype = { n0";
  for (int i = 1; i < 256; ++i) text += ", n" + std::to_string(i);
  CHECK(ParsedPromela(text + " }; init { skip }").says("more than 255 names in an mtype"));
}

TEST_CASE("processes") {
  static constexpr Mistake kMistakes[] = {
      {"proctype P() { skip }", "no process is active"},
      {"byte Q; init { run Q() }", "'Q' is no proctype"},
      {"init { run Q() }", "unknown proctype 'Q'"},
      {"proctype P(byte a) { skip } init { run P() }", "has 1 parameter and gets 0"},
      {"proctype P() { skip } init { run P(1) }", "has 0 parameters and gets 1"},
      {"proctype P(byte a[2]) { skip } init { run P(1) }", "an array is no parameter"},
      {"typedef T { byte a[2] }; proctype P(T t) { skip } init { skip }", "no parameter"},
      {"proctype P(byte a = 1) { skip } init { run P(1) }", "a parameter has no initial value"},
      {"proctype P() { skip } init { (run P()) + (run P()) > 1 }", "at most one process"},
      {"proctype P() { skip } byte x = run P(); init { skip }", "'run' cannot stand here"},
      {"proctype P() { skip } init { d_step { run P() } }", "a d_step starts no processes"},
      {"active [0] proctype P() { skip }", "1 to 255 processes can be active"},
      {"init { skip } init { skip }", "one 'init' at most"},
      {"chan c = [0] of { bit }; init priority 3 { skip }", "priorities and rendezvous"},
      {"init priority 0 { skip }", "a priority is a number from 1 to 255"},
  };
  check_all(kMistakes);
}

TEST_CASE("control") {
  static constexpr Mistake kMistakes[] = {
      {"init { goto L }", "there is no label 'L'"},
      {"init { L: skip; L: skip }", "label 'L' is here twice"},
      {"init { break }", "no loop that 'break' could leave"},
      {"byte x; init { if :: else -> skip :: x == 1 :: else -> skip fi }", "one 'else' at most"},
      {"byte x; init { if :: x == 1 :: L: else :: else fi }", "one 'else' at most"},
      {"init { if fi }", "expected '::' before 'fi'"},
      {"init { if :: fi }", "there is no statement in here"},
      {"init { { } }", "there is no statement in here"},
      {"init { { L: skip } }", "a label stands in front of the block"},
      {"init { atomic { L: skip } }", "a label stands in front of the block"},
      {"init { L: byte x; skip }", "a label stands in front of a statement"},
      {"byte x; init { d_step { x = 1; goto L }; L: skip }", "a jump leads out of a d_step"},
      {"byte x; init { do :: d_step { x = 1; break } od }", "a jump leads out of a d_step"},
      {"byte x; init { goto L; d_step { x = 1; L: x = 2 } }", "a jump leads into a d_step"},
      {"byte x; init { d_step { { x = 1 } unless { x == 1 } } }", "no 'unless' in it"},
      {"init { L: goto M; M: goto L }", "go round without a statement"},
      {"init { x = 1 y = 2 }", "expected ';' or '->' before 'y'"},
      {"byte x; init { if :: x == -> skip fi }", "expected an expression before '->'"},
      {"init { skip", "expected '}', but the text ends here"},
      {"byte x; init { for (x : 1 .. 2) }", "expected '{' before '}'"},
      {"byte x, y; init { for (x in y) { skip } }", "goes through an array or a channel"},
  };
  check_all(kMistakes);
}

TEST_CASE("inlines") {
  static constexpr Mistake kMistakes[] = {
      {"inline f() { f() } init { f() }", "an inline does not call itself"},
      {"inline f() { g() } inline g() { f() } init { f() }", "an inline does not call itself"},
      {"inline f(a) { a = 1 } init { f() }", "has 1 parameter and gets 0"},
      {"inline f(a) { t.a = 1 } init { skip }", "the name of a parameter of this inline"},
      {"inline f() { ; } init { f() }", "there is no statement in this inline"},
      {"inline f() { return 1 } init { f() }", "gives a value to nobody"},
      {"init { return 1 }", "gives a value to nobody"},
      {"inline f() { skip", "expected '}'"},
  };
  check_all(kMistakes);
}

TEST_CASE("claims only look") {
  static constexpr Mistake kMistakes[] = {
      {"byte x; never { x = 1 } init { skip }", "a never claim only looks"},
      {"chan c = [1] of { byte }; never { c!1 } init { skip }", "a never claim only looks"},
      {"chan c = [1] of { byte }; never { c?1 } init { skip }", "a never claim only looks"},
      {"proctype P() { skip } never { run P() } init { skip }", "it has an effect"},
      {"init { skip } ltl p { [] (x == 1) }", "unknown name 'x'"},
      {"init { skip } ltl p { [] }", "expected an expression, but the text ends"},
      {"init { skip } ltl p { true true }", "expected an operator before 'true'"},
  };
  check_all(kMistakes);
}

TEST_CASE("what is refused, with a remedy") {
  static constexpr Mistake kMistakes[] = {
      {"c_decl { int i; } init { skip }", "embedded C cannot be verified here; declare"},
      {"c_state \"int i\" \"Global\" init { skip }", "embedded C cannot be verified here"},
      {"c_track \"&i\" \"1\" init { skip }", "embedded C cannot be verified here"},
      {"init { c_code { i = 1; } }", "embedded C cannot be verified here; write these"},
      {"init { c_expr { i > 0 } }", "embedded C cannot be verified here; write the expression"},
      {"init { pc_value(0) == 1 }", "pc_value is not supported"},
  };
  check_all(kMistakes);
}

TEST_CASE("a trace is made of sends and receives") {
  static constexpr Mistake kMistakes[] = {
      {"chan c = [1] of { bit }; trace { c!1; skip } init { skip }", "this is no event"},
      {"chan c = [1] of { bit }; trace { do :: c!1 :: else od } init { skip }", "this is no event"},
      {"chan c = [1] of { bit }; notrace { d_step { c!1 } } init { skip }", "this is no event"},
      {"chan c = [1] of { bit }; trace { c?<1> } init { skip }", "stays in its channel"},
      {"chan c = [1] of { bit }; trace { do :: c!1 :: break od } init { skip }", "a jump is no"},
      {"chan c = [1] of { bit }; trace { c!1 unless c?1 } init { skip }", "no 'unless'"},
      {"chan c = [1] of { bit }; trace { c!1 } notrace { c?1 } init { skip }", "one trace"},
      {"chan c = [1] of { bit }; trace { c!1,2 } init { skip }", "have 1 value, not 2"},
      {"chan c = [1] of { bit }; trace { byte x; c?eval(x) } init { skip }", "global variables"},
      {"trace { chan c; c!1 } init { skip }", "global variables"},
  };
  check_all(kMistakes);
  const ParsedPromela loose("chan c = [1] of { bit }; byte x; trace { c!x } init { c!0 }");
  CHECK(loose.ok());
  CHECK(loose.says("only a constant is compared here"));
}

TEST_CASE("nothing is nested too deeply for the stack") {
  const auto repeated = [](const char* piece, int count) {
    std::string out;
    for (int i = 0; i < count; ++i) out += piece;
    return out;
  };
  const ParsedPromela parens("init { " + repeated("(", 5000) + "1");
  CHECK(parens.says("expressions nested deeper than 256 levels"));
  const ParsedPromela blocks("init { " + repeated("{", 5000) + "skip");
  CHECK(blocks.says("statements or calls of inlines nested deeper than 64 levels"));
  const ParsedPromela chain("byte x; init { x = 1" + repeated(" + x", 5000) + " }");
  CHECK(chain.says("an expression of more than 1000 levels"));
  const ParsedPromela formula("init { skip } ltl p { " + repeated("[]", 5000) + " true }");
  CHECK_FALSE(formula.ok());
}

TEST_CASE("warnings keep a model") {
  const ParsedPromela hidden("hidden byte x; init { skip }");
  CHECK(hidden.ok());
  CHECK(hidden.says("warning: hidden variables are part of the state"));
  const ParsedPromela array("byte a[2]; init { a = 1 }");
  CHECK(array.ok());
  CHECK(array.says("warning: an array without an index"));
  const ParsedPromela inside("init { skip; else }");
  CHECK(inside.ok());
  CHECK(inside.says("1:14: warning: this 'else' is not the first statement of an option"));
  CHECK(inside.says("is a '::' missing?"));
  CHECK(ParsedPromela("init { if :: skip :: else fi }").messages.empty());
  const ParsedPromela few("chan c = [1] of { byte, byte }; init { c!1 }");
  CHECK(few.ok());
  CHECK(few.says("have 2 values: an error at run time"));
}

}  // namespace static_test
