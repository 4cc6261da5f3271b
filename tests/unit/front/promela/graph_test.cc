// Places and the statements between them.
#include "front/promela/graph.h"

#include <doctest/doctest.h>

#include <string>

#include "promela_parsed.h"

using namespace xmc;

namespace graph_test {

using test::graph_of;
using test::graph_of_body;
using test::ParsedPromela;

TEST_CASE("statements lead to the next place") {
  CHECK(graph_of_body("x = 1; x == 1 -> skip") == "0: x = 1 1\n1: x == 1 2\n2: skip end\n");
}

TEST_CASE("a selection lists the statements of its options, else last") {
  CHECK(graph_of_body("if :: else -> x = 3 :: x == 1 :: x == 2 -> x = 4 fi; y = 1") ==
        "0: x == 1 1, x == 2 2, else 3\n1: y = 1 end\n2: x = 4 1\n3: x = 3 1\n");
}

TEST_CASE("jumps are steps in front only") {
  CHECK(graph_of_body("do :: x = 1; break :: break :: goto L od; L: skip") ==
        "0: x = 1 1, break 1, goto L 1\n1: skip end\n");
  CHECK(graph_of_body("goto L; x = 1; L: y = 1") == "0: y = 1 end\n");
  CHECK(graph_of_body("x = 1; end: goto L; x = 2; L: y = 1") ==
        "0: x = 1 1\n1: goto L 2\n2: y = 1 end\n");
}

TEST_CASE("a block has a place of its own") {
  CHECK(graph_of_body("do :: x = 1 -> { do :: x = 2 :: break od } od") ==
        "0: x = 1 1\n1: x = 2 2, break 0\n2: x = 2 2, break 0\n");
}

TEST_CASE("control is kept inside the text of atomics") {
  CHECK(graph_of_body("atomic { x = 1; x = 2 }; x = 3") ==
        "0: x = 1 +1\n1: x = 2 2\n2: x = 3 end\n");
  CHECK(graph_of_body("atomic { x = 1; goto M }; x = 5; atomic { x = 6; M: x = 7; x = 8 }") ==
        "0: x = 1 +1\n1: x = 7 +2\n2: x = 8 end\n");
  CHECK(graph_of_body("atomic { y = 1; L: x = 2; x = 3 }; goto L") ==
        "0: y = 1 +1\n1: x = 2 +2\n2: x = 3 1\n");
  CHECK(graph_of_body("atomic { do :: x = 1 :: break od }; x = 2") ==
        "0: x = 1 +1, break 2\n1: x = 1 +1, break 2\n2: x = 2 end\n");
}

namespace {

// With a channel of rendezvous: a sender may be seen where it has given control away.
std::string graph_of_sender(std::string_view body) {
  return graph_of(
      ParsedPromela("byte x, y; chan c = [0] of { byte }; "
                    "chan d = [1] of { byte, byte }; active proctype P() { " +
                    std::string(body) + " }"));
}

}  // namespace

TEST_CASE("the end of an atomic is a place for a sender, and for nobody else") {
  CHECK(graph_of_sender("atomic { x = 1; if :: c!1 :: c?1 :: x = 2 fi }; x = 3") ==
        "0: x = 1 +1\n1: c!1 +2, c?1 3, x = 2 3\n2: fi 3\n3: x = 3 end\n");
  CHECK(graph_of_sender("atomic { if :: if :: c!1 fi :: c!2 fi }") ==
        "0: c!1 +1, c!2 +2\n1: fi end\n2: fi end\n");
  CHECK(graph_of_sender("atomic { do :: c!1 :: c!2; break od }") ==
        "0: c!1 +1, c!2 +2\n1: c!1 +1, c!2 +2\n2: break end\n");
  CHECK(graph_of_sender("atomic { { c!1; c!2 } unless { x == 1 } }") ==
        "0: ^x == 1 end, c!1 +1\n1: ^x == 1 end, c!2 +2\n2: } end\n");
  CHECK(graph_of_sender("atomic { x = 1; c!1 }; c!2") == "0: x = 1 +1\n1: c!1 2\n2: c!2 end\n");
  CHECK(graph_of_sender("atomic { if :: d!1,2 fi }") == "0: d!1,2 end\n");
}

TEST_CASE("a sender rests in front of the last statement, and at a jump out of an atomic") {
  CHECK(graph_of_sender("atomic { if :: c!1 :: c!2; goto L fi; x = 1 }; L: x = 2") ==
        "0: c!1 +1, c!2 +2\n1: fi +3\n2: goto L 4\n3: x = 1 4\n4: x = 2 end\n");
  CHECK(graph_of_sender("atomic { if :: c!1 fi; x = 1; x = 2 }") ==
        "0: c!1 +1\n1: x = 1 +2\n2: x = 2 end\n");
  CHECK(graph_of_sender("atomic { c!1; goto L }; x = 1; atomic { x = 2; L: x = 3; x = 4 }") ==
        "0: c!1 +1\n1: x = 3 +2\n2: x = 4 end\n");
}

TEST_CASE("who may not go on rests at the end, and an escape is looked at where a loop ends") {
  CHECK(graph_of(ParsedPromela("byte x; active proctype P() provided (x < 1) "
                               "{ atomic { x = 1; if :: x = 2 fi }; x = 3 }")) ==
        "0: x = 1 +1\n1: x = 2 +2\n2: fi 3\n3: x = 3 end\n");
  CHECK(graph_of_body("{ atomic { do :: x = 1; break od } } unless { y == 1 }") ==
        "0: ^y == 1 end, x = 1 +1\n1: ^y == 1 end, break +2\n2: ^y == 1 end, od end\n");
  CHECK(graph_of_body("{ atomic { if :: x = 1 fi } } unless { y == 1 }") ==
        "0: ^y == 1 end, x = 1 end\n");
}

TEST_CASE("an `else` where no option begins stands where it is written") {
  CHECK(graph_of_body("x = 1; else; x = 2") == "0: x = 1 1\n1: else 2\n2: x = 2 end\n");
  CHECK(graph_of_body("if :: x == 1 :: atomic { else -> x = 2 } :: x == 3 fi") ==
        "0: x == 1 end, else +1, x == 3 end\n1: x = 2 end\n");
}

TEST_CASE("of several skips in an option one is kept, and what is computed is none") {
  CHECK(graph_of_body("if :: x = 1; skip; true; 1; (1); x = 2 fi") ==
        "0: x = 1 1\n1: skip 2\n2: x = 2 end\n");
  CHECK(graph_of_body("if :: (2 - 1); skip; !0; (1 -> 1 : 0); x = 2 fi") ==
        "0: (2 - 1) 1\n1: skip 2\n2: !0 3\n3: (1 -> 1 : 0) 4\n4: x = 2 end\n");
}

TEST_CASE("a message of one bit is kept in a byte") {
  const ParsedPromela parsed(
      "typedef T { bool b }; chan a = [1] of { bit }; chan b = [1] of { T }; "
      "chan c = [1] of { bit, bit }; init { skip }");
  REQUIRE(parsed.ok());
  CHECK(parsed.system.message_leaves[0].width == 8);
  CHECK(parsed.system.message_leaves[1].width == 8);
  CHECK(parsed.system.message_leaves[2].width == 1);
  CHECK(parsed.system.message_leaves[3].width == 1);
}

TEST_CASE("escapes stand in front, the outer one first") {
  CHECK(graph_of_body("{ x = 1; x = 2 } unless { y == 1 -> y = 2 }") ==
        "0: ^y == 1 1, x = 1 2\n1: y = 2 end\n2: ^y == 1 1, x = 2 end\n");
  CHECK(graph_of_body("{ { x = 1 } unless { y == 1 } } unless { y == 2 }") ==
        "0: ^y == 2 end, ^y == 1 end, x = 1 end\n");
  CHECK(graph_of_body("{ d_step { x = 1; x = 2 } } unless { y == 1 }; x = 3") ==
        "0: ^y == 1 1, d_step [2] 1\n1: x = 3 end\n2d: x = 1 3\n3d: x = 2 1\n");
}

TEST_CASE("a label in front of an atomic with an escape is in front of both") {
  CHECK(graph_of_body("goto L; x = 9; L: atomic { x = 1; x = 2 } unless { y == 1 -> y = 2 }") ==
        "0: ^y == 1 1, x = 1 +2\n1: y = 2 end\n2: ^y == 1 1, x = 2 end\n");
}

TEST_CASE("a d_step has a graph of its own") {
  CHECK(graph_of_body(
            "d_step { x == 1; do :: x < 5 -> x++ :: else -> break od; atomic { y = 1 } }") ==
        "0: d_step [1] end\n1d: x == 1 2\n2d: x < 5 3, else 4\n3d: x++ 2\n4d: y = 1 end\n");
}

TEST_CASE("of several skips in an option one is kept") {
  CHECK(graph_of_body("if :: true -> skip; skip; skip fi") == "0: true 1\n1: skip end\n");
  CHECK(graph_of_body("skip; skip") == "0: skip 1\n1: skip end\n");
}

TEST_CASE("declarations behind a statement are statements") {
  const ParsedPromela parsed("active proctype P() { byte a = 1; a = 2; byte b, c = a; skip }");
  CHECK(graph_of(parsed) == "0: a = 2 1\n1: b 2\n2: c 3\n3: skip end\n");
  CHECK(parsed.system.local_initials.size() == 1);
  CHECK_FALSE(parsed.system.locals[0].is_late);
  CHECK(parsed.system.locals[1].is_late);
}

TEST_CASE("labels give places their meaning") {
  const ParsedPromela parsed(
      "byte x; active proctype P() { endless: do :: x++ od } "
      "active proctype Q() { accept_it: x = 1; progress1: x = 2; far: x = 3; goto far }");
  REQUIRE(parsed.ok());
  const promela::System& system = parsed.system;
  CHECK(system.places[system.labels[0].at].is_valid_end);
  CHECK(system.places[system.labels[1].at].is_accepting);
  CHECK(system.places[system.labels[2].at].is_progress);
  CHECK_FALSE(system.places[system.labels[3].at].is_valid_end);
}

TEST_CASE("labels of an inline belong to its call") {
  const ParsedPromela parsed(
      "byte x; inline f() { do :: x > 0 -> goto out :: else -> x++ od; out: skip } "
      "active proctype P() { f(); f() }");
  REQUIRE(parsed.ok());
  CHECK(parsed.system.labels.size() == 2);
  CHECK(parsed.system.labels[0].at != parsed.system.labels[1].at);
}

TEST_CASE("a formal parameter is replaced by the text of the actual one") {
  const ParsedPromela parsed(
      "byte a[3], i; inline set(v, n) { v = n } inline twice(v) { set(v, i + 1); set(v, 2) } "
      "active proctype P() { twice(a[i]) }");
  REQUIRE(parsed.ok());
  const promela::Action& first = parsed.system.actions[0];
  const promela::Reference& target = parsed.system.references[first.target];
  CHECK(target.index_count == 1);
  CHECK(parsed.system.expressions[first.value].op == promela::Op::add);
}

}  // namespace graph_test
