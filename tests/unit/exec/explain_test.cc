// Run-time errors in words: what failed, where the text has it, and what it read.
#include <doctest/doctest.h>

#include "fixture.h"
#include "xmc/text.h"

using namespace xmc;

namespace explain_test {

using test::Loaded;

namespace {

// "LINE: words" of the first erroneous step that a breadth-first walk finds, or of the predicate.
std::string first_error(Loaded& loaded) {
  REQUIRE_MESSAGE(loaded.status.ok(), loaded.status.c_str());
  const Model& judge = loaded.model.judge;
  const bool explains = judge.explain != nullptr;
  REQUIRE(explains);
  std::string found;
  test::explore(judge, [&](const auto& state, const Expansion& e, const auto&...) {
    if (!found.empty() || (e.errors == 0 && e.violated == kNone)) return;
    FixedText<800> why;
    const u32 label = e.violated == kNone ? e.error_label : kNone;
    const u32 line = judge.explain(judge.self, state.data(), label, e.violated, why);
    found = std::to_string(line) + ": " + std::string(why.view());
  });
  return found;
}

std::string first_error(const std::string& globals, const std::string& process,
                        const std::string& invariant = "") {
  const std::string text = globals + "\nprocess P { state s, t; init s;\n" + process +
                           "; }\nprocess Q { byte q = 4; state s; init s; }\nsystem async;\n";
  Loaded loaded(text, ErrorRule::report, false, invariant);
  return first_error(loaded);
}

}  // namespace

TEST_CASE("an index says its value, the array and what it is made of") {
  CHECK(
      first_error("byte a[5]; int i = 5;", "trans s -> t { guard a[i + 2] == 0; effect i = 1; }") ==
      "3: index 7 of a[5]: a[i + 2] with i=5");
  CHECK(first_error("byte a[5]; int i;", "trans s -> t { effect i = 9, a[ i-1 ] = 3; }") ==
        "3: index 8 of a[5]: a[ i-1 ] = 3 with i=9");
  CHECK(first_error("byte a[5]; int i;", "trans s -> t { effect i = 9, i = 1 + a[i]; }") ==
        "3: index 9 of a[5]: a[i] with i=9");
  CHECK(first_error("byte a[5], b[2]; byte i;",
                    "trans s -> t { effect b[1] = 1, i = 5, i = a[b[1] * i]; }") ==
        "3: index 5 of a[5]: a[b[1] * i] with b[1]=1 i=5");
}

TEST_CASE("a division says what was divided") {
  CHECK(first_error("byte x = 4, y = 4;",
                    "trans s -> t { effect y = y - 1, x = x + 1, x = x / (y - 3); }") ==
        "3: division by zero: x / (y - 3) with x=5 y=3");
  CHECK(first_error("byte x, y = 1;",
                    "trans s -> t { guard 1 % x /* none */ == y; effect x = 1; }") ==
        "3: division by zero: 1 % x with x=0");
}

TEST_CASE("a value that does not fit says its type") {
  CHECK(first_error("byte x = 254;", "trans s -> s { effect x = x + 1; }") ==
        "3: 256 does not fit a byte (0..255): x = x + 1 with x=255");
  CHECK(first_error("byte x;", "trans s -> s { effect x = x - 1; }") ==
        "3: -1 does not fit a byte (0..255): x = x - 1 with x=0");
  CHECK(first_error("int x = 200;", "trans s -> s { effect x = x * x; }") ==
        "3: 40000 does not fit an int (-32768..32767): x = x * x with x=200");
}

TEST_CASE("constants and variables that never change are shown, too") {
  CHECK(first_error("const int N = 2; byte never = 3, a[5]; int i = 1;",
                    "trans s -> t { effect i = i + 1, i = a[i * N + never]; }") ==
        "3: index 7 of a[5]: a[i * N + never] with i=2 N=2 never=3");
  CHECK(first_error("const byte T[3] = {7, 8, 9}; byte a[5], i = 1;",
                    "trans s -> t { effect i = 2, i = a[T[i] + T[0]]; }") ==
        "3: index 16 of a[5]: a[T[i] + T[0]] with i=2 T[2]=9 T[0]=7");
  CHECK(first_error("const byte T[3] = {7, 8, 9}; byte i = 2;",
                    "trans s -> t { effect i = i + 1, i = T[i]; }") ==
        "3: index 3 of T[3]: T[i] with i=3");
  // Local names hide global ones.
  Loaded local(
      "const int N = 2; byte a[5]; int i = 5;\n"
      "process P { const int N = 4; state s; init s;\n"
      "  trans s -> s { effect i = i + 1, i = a[i - N + 4]; }; }\nsystem async;\n");
  CHECK(first_error(local) == "3: index 6 of a[5]: a[i - N + 4] with i=6 N=4");
}

TEST_CASE("the line is that of the expression") {
  CHECK(
      first_error("byte a[5]; int i;",
                  "trans s -> t { guard i == 0\n  and i < 3;\n  effect i = 6,\n    a[i] = 1; }") ==
      "6: index 6 of a[5]: a[i] = 1 with i=6");
}

TEST_CASE("values of a synchronisation") {
  const std::string head = "byte x, z, a[2]; channel c; channel {int} b[1];\n";
  const std::string system = "\nsystem async;\n";
  const auto of = [&](const std::string& sender, const std::string& receiver) {
    Loaded loaded(head + "process S { byte v = 200; state s, t; init s;\n trans s -> t { sync " +
                  sender + "; effect v = 201; }; }\nprocess R { byte k = 1; state s, t; init s;\n" +
                  " trans s -> t { sync " + receiver + "; effect x = 0, z = 0, k = 2; }; }" +
                  system);
    return first_error(loaded);
  };
  CHECK(of("c!v + 100", "c?x") ==
        "5: 300 does not fit a byte (0..255): c?x gets v + 100 with "
        "S->v=200");
  CHECK(of("c!1 / z", "c?x") == "3: division by zero: 1 / z with z=0");
  CHECK(of("c!1", "c?a[k + 1]") == "5: index 2 of a[2]: c?a[k + 1] with k=1");
  CHECK(of("b!v + 100", "b?x") == "5: 300 does not fit a byte (0..255): b?x");
  CHECK(of("b!v / z", "b?x") == "3: division by zero: v / z with v=200 z=0");
  CHECK(of("b!v", "b?a[a[k + 1]]") == "5: index 2 of a[2]: a[k + 1] with k=1");
}

TEST_CASE("predicates that have no value") {
  CHECK(first_error("byte a[5]; int i = 4;",
                    "assert t: a[i] == 0; trans s -> t { effect i = i + 1; }") ==
        "3: index 5 of a[5]: a[i] with i=5");
  CHECK(first_error("byte i;", "trans s -> t { effect i = i + 1; }",
                    "Q->q / (i + Q.s - 2) < 9 and P.s") ==
        "0: division by zero: Q->q / (i + Q.s - 2) with i=1 Q=s Q->q=4");
  // One that is false has nothing to explain.
  CHECK(first_error("byte i;", "trans s -> t { effect i = i + 1; }", "i == 0") == "0: ");
}

TEST_CASE("a step of a product") {
  Loaded loaded(
      "byte x = 1;\nprocess P { state s; init s; trans s -> s { effect x = 0; }; }\n"
      "process X { state u; init u; accept u;\n  trans u -> u { guard 2 / x; }; }\n"
      "system async property X;\n");
  CHECK(first_error(loaded) == "4: division by zero: 2 / x with x=0");
}

}  // namespace explain_test
