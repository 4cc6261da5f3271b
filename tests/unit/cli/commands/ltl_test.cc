// The command ltl from outside: what it prints, what it converts, and how it refuses.
#include <doctest/doctest.h>

#include "child.h"

namespace ltl_test {

namespace {

using child::Done;
using child::has;
using child::Place;

constexpr const char* kResponse =
    "HOA: v1\n"
    "name: \"G (r -> F g)\"\n"
    "States: 2\n"
    "Start: 0\n"
    "AP: 2 \"r\" \"g\"\n"
    "acc-name: Buchi\n"
    "Acceptance: 1 Inf(0)\n"
    "properties: trans-labels explicit-labels state-acc complete deterministic\n"
    "--BODY--\n"
    "State: 0 {0}\n"
    "[!0 | 1] 0\n"
    "[0&!1] 1\n"
    "State: 1\n"
    "[1] 0\n"
    "[!1] 1\n"
    "--END--\n";

constexpr const char* kNever =
    "never { /* !(G x == 2) */\n"
    "T0_init:\n"
    "  if\n"
    "  :: ((x == 2)) -> goto T0_init\n"
    "  :: (!(x == 2)) -> goto accept_all\n"
    "  fi;\n"
    "accept_all:\n"
    "  skip\n"
    "}\n";

constexpr const char* kDot =
    "digraph automaton {\n"
    "  rankdir=LR;\n"
    "  label=\"X \\\"a->b\\\"\";\n"
    "  start [shape=point];\n"
    "  start -> 0;\n"
    "  0 [shape=circle];\n"
    "  1 [shape=circle];\n"
    "  2 [shape=doublecircle];\n"
    "  0 -> 1 [label=\"true\"];\n"
    "  1 -> 2 [label=\"a->b\"];\n"
    "  2 -> 2 [label=\"true\"];\n"
    "}\n";

}  // namespace

TEST_CASE("ltl prints automata in three formats") {
  const Place folder;
  CHECK(folder.run({"ltl", "G (r -> F g)"}).out == kResponse);
  CHECK(folder.run({"ltl", "--negate", "G x == 2", "--to", "never"}).out == kNever);
  CHECK(folder.run({"ltl", "X \"a->b\"", "--to", "dot"}).out == kDot);
  const Done done = folder.run({"ltl", "--ram", "8M", "G (r -> F g)", "-o", "r.hoa"});
  CHECK(done.exit == 0);
  CHECK(done.out.empty());
  CHECK(child::read_whole(folder / "r.hoa") == kResponse);
}

TEST_CASE("ltl converts automata") {
  const Place folder;
  folder.write("r.hoa", kResponse);
  const Done never = folder.run({"ltl", "--hoa", "r.hoa", "--to", "never", "-o", "r.never"});
  CHECK(never.exit == 0);
  const Done back = folder.run({"ltl", "--never", "r.never"});
  CHECK(back.exit == 0);
  const std::string body = std::string(kResponse).substr(std::string(kResponse).find("States"));
  CHECK(has(back.out, body));
}

TEST_CASE("ltl shows where a text is wrong") {
  const Place folder;
  Done done = folder.run({"ltl", "G (p -> )"});
  CHECK(done.exit == 65);
  CHECK(has(done.err,
            "formula:1:9: error: expected a formula, found ')'\n"
            "    1 | G (p -> )\n"
            "      |         ^\n"));
  folder.write("bad.hoa", "HOA: v1\nAcceptance: 1 Fin(0)\n--BODY--\n--END--\n");
  done = folder.run({"ltl", "--hoa", "bad.hoa"});
  CHECK(done.exit == 65);
  CHECK(has(done.err, "bad.hoa:2:13: error: acceptance is not read"));
  folder.write("bad.never", "never {\nT0:\n  if\n  :: p -> goto T1\n  fi;\n}\n");
  done = folder.run({"ltl", "--never", "bad.never"});
  CHECK(done.exit == 65);
  CHECK(has(done.err, "bad.never:4:16: error: there is no state with this label"));
}

TEST_CASE("ltl refuses what does not belong together") {
  const Place folder;
  folder.write("r.hoa", kResponse);
  CHECK(folder.run({"ltl"}).exit == 64);
  CHECK(folder.run({"ltl", "p", "--hoa", "r.hoa"}).exit == 64);
  CHECK(folder.run({"ltl", "--never", "r.hoa", "--hoa", "r.hoa"}).exit == 64);
  CHECK(folder.run({"ltl", "--negate", "--hoa", "r.hoa"}).exit == 64);
  CHECK(folder.run({"ltl", "--hoa", "none.hoa"}).exit == 64);
  CHECK(folder.run({"ltl", "--hoa", "r.hoa", "-o", "r.hoa"}).exit == 64);
  CHECK(child::read_whole(folder / "r.hoa") == kResponse);
  CHECK(folder.run({"ltl", "p", "--to", "promela"}).exit == 64);
}

}  // namespace ltl_test
