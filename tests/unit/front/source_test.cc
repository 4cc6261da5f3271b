#include "front/source.h"

#include <doctest/doctest.h>

#include <string>

#include "messages.h"

using namespace xmc;

namespace source_test {

namespace {

struct Reporter {
  explicit Reporter(std::string_view text)
      : source{"m.dve", text}, diagnostics(source, test::collect, &out) {}
  Source source;
  std::string out;
  Diagnostics diagnostics;
};

}  // namespace

TEST_CASE("a place has line, column and the text of the line") {
  const Source source{"m", "ab\ncde\r\n\nf"};
  CHECK(source.place(0).line == 1);
  CHECK(source.place(0).column == 1);
  CHECK(source.place(4).line == 2);
  CHECK(source.place(4).column == 2);
  CHECK(source.place(4).line_text == "cde");
  CHECK(source.place(8).line == 3);
  CHECK(source.place(8).line_text == "");
  CHECK(source.place(9).line_text == "f");
  CHECK(source.place(10).column == 2);
  CHECK(source.place(1000).column == 2);
}

TEST_CASE("a message shows its line with a caret") {
  Reporter r("one\n\tguard fork == 1;\nthree");
  r.diagnostics.error(11, 15, "unknown name '%s'", "fork");
  CHECK(r.out ==
        "m.dve:2:8: error: unknown name 'fork'\n"
        "    2 |  guard fork == 1;\n"
        "      |        ^~~~\n");
  CHECK(r.diagnostics.error_count() == 1);
  CHECK(r.diagnostics.status().code() == Code::model);
  CHECK(r.diagnostics.status().message() == "m.dve: 1 error");
}

TEST_CASE("the caret stays on one line and may stand at the end of the text") {
  Reporter r("ab\ncd");
  r.diagnostics.warning(1, 5, "long");
  r.diagnostics.note(5, 5, "end");
  CHECK(r.out ==
        "m.dve:1:2: warning: long\n    1 | ab\n      |  ^\n"
        "m.dve:2:3: note: end\n    2 | cd\n      |   ^\n");
  CHECK(r.diagnostics.status().ok());
}

TEST_CASE("a very long line is cut around the caret") {
  const std::string line(100000, 'x');
  Reporter r(line);
  r.diagnostics.error(50000, 50003, "here");
  CHECK(r.out.size() < 400);
  CHECK(r.out.find("    1 | ...xxx") != std::string::npos);
  CHECK(r.out.find("xxx...\n") != std::string::npos);
  const std::size_t text_line = r.out.find("    1 | ");
  const std::size_t caret_line = r.out.find("      | ");
  CHECK(r.out.find('^') - caret_line == 8 + 3 + 60);
  CHECK(caret_line - text_line == 8 + 3 + 100 + 3 + 1);
}

TEST_CASE("bytes of the text cannot steer a terminal") {
  Reporter r("a\x1b[31mb\x80\x7f");
  r.diagnostics.error(0, 1, "x");
  CHECK(r.out.find("a?[31mb??\n") != std::string::npos);
}

TEST_CASE("errors are shown up to a number even after many warnings") {
  Reporter r("abc");
  for (u32 i = 0; i < 50; ++i) r.diagnostics.warning(0, 1, "w%u", i);
  CHECK(r.out.find("w19\n") != std::string::npos);
  CHECK(r.out.find("w20\n") == std::string::npos);
  r.diagnostics.note(0, 1, "hidden with its warning");
  CHECK(r.out.find("hidden") == std::string::npos);
  for (u32 i = 0; i < 50; ++i) r.diagnostics.error(0, 1, "e%u", i);
  CHECK(r.out.find("e19\n") != std::string::npos);
  CHECK(r.out.find("e20\n") == std::string::npos);
  CHECK(r.diagnostics.error_count() == 50);
  CHECK(r.diagnostics.warning_count() == 50);
  CHECK(r.diagnostics.status().message() == "m.dve: 50 errors, of which the first 20 are shown");
}

}  // namespace source_test
