// Breaking lines at blanks.
#include "report/row.h"

#include <doctest/doctest.h>

#include "sample.h"

using namespace xmc;

namespace row_test {

namespace {

template <class Fill>
std::string filled(u32 columns, Fill fill) {
  sample::StringOutput out;
  Row row(out, columns);
  fill(row);
  return out.take();
}

}  // namespace

TEST_CASE("a line is broken at the last blank that fits") {
  CHECK(filled(12, [](Row& row) { row.raw("say").to(4).add("one two three").end(); }) ==
        "say one two\n    three\n");
  CHECK(filled(11, [](Row& row) { row.raw("say").to(4).add("one two").end(); }) == "say one two\n");
  CHECK(filled(10, [](Row& row) { row.raw("say").to(4).add("one two").end(); }) ==
        "say one\n    two\n");
  // A word that fits no line is longer.
  CHECK(filled(8, [](Row& row) { row.to(2).add("a wonderful b").end(); }) ==
        "  a\n  wonderful\n  b\n");
}

TEST_CASE("pieces of a word stay together, and so does what is one thing") {
  CHECK(filled(12, [](Row& row) { row.to(1).add("abc def").add("gh").add(", ijk").end(); }) ==
        " abc defgh,\n ijk\n");
  CHECK(filled(12, [](Row& row) { row.add("about ").whole("7 states").add(", x").end(); }) ==
        "about\n7 states, x\n");
  CHECK(filled(12, [](Row& row) { row.format("%u and %s\n", 1u, "more").add("next").end(); }) ==
        "1 and more\nnext\n");
}

TEST_CASE("columns") {
  CHECK(filled(20, [](Row& row) { row.raw("abcdef").to(3).add("g").to(12).add("h").end(); }) ==
        "abcdef  g   h\n");
  CHECK(filled(6, [](Row& row) { row.unseen("[colour]").add("ab cd").end(); }) ==
        "[colour]ab cd\n");
  Row* kept = nullptr;
  CHECK(filled(9, [&](Row& row) {
          kept = &row;
          row.add("abc def ghi");
          CHECK(row.column() == 3);
        }) == "abc def\nghi");
  CHECK(kept != nullptr);
}

TEST_CASE("a word of any length comes through") {
  const std::string word(2000, 'x');
  CHECK(filled(80, [&](Row& row) { row.add("a ").add(word).add(" b").end(); }) ==
        "a " + word + "\nb\n");
}

}  // namespace row_test
