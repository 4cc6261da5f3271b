// What becomes of bytes that a terminal, a page or a picture must not get.
#include "report/characters.h"

#include <doctest/doctest.h>

#include <string>

#include "report/page/html.h"
#include "report/row.h"

using namespace xmc;

namespace characters_test {

namespace {

struct Sink {
  std::string text;
  u32 pieces = 0;

  static Status write(void* self, std::string_view bytes) {
    static_cast<Sink*>(self)->text += bytes;
    ++static_cast<Sink*>(self)->pieces;
    return {};
  }
};

std::string shown(const std::string& text, std::size_t room) {
  Sink sink;
  std::string buffer(room, ' ');
  Output out(buffer, &Sink::write, &sink);
  out.escape_controls();
  out.add(text);
  CHECK(out.flush().ok());
  return sink.text;
}

std::string in_page(const std::string& text) {
  Sink sink;
  char buffer[16];
  Output out(buffer, &Sink::write, &sink);
  EscapedOutput escaped(out);
  escaped.add(text);
  CHECK(escaped.flush().ok());
  CHECK(out.flush().ok());
  return sink.text;
}

}  // namespace

TEST_CASE("text for a terminal has nothing in it that a terminal obeys") {
  for (const std::size_t room : {4, 5, 7, 64}) {
    CAPTURE(room);
    CHECK(shown("a\tb\nc", room) == "a\tb\nc");
    CHECK(shown("\x1b[31mred\r\x07", room) == "\\x1b[31mred\\x0d\\x07");
    CHECK(shown("\x7f", room) == "\\x7f");
    CHECK(shown("gr\xc3\xbc\xc3\x9f \xe2\x82\xac \xf0\x9f\x98\x80", room) ==
          "gr\xc3\xbc\xc3\x9f \xe2\x82\xac \xf0\x9f\x98\x80");
    CHECK(shown("\xc2\x9b"
                "31m",
                room) == "\\xc2\\x9b31m");  // CSI of an 8-bit terminal
    CHECK(shown("\xff \xc3 \xe2\x82", room) == "\\xff \\xc3 \\xe2\\x82");
    CHECK(shown(std::string("\0", 1), room) == "\\x00");
  }
  CHECK(shown(std::string(3000, '\x1b'), 256).size() == 12000);
}

TEST_CASE("our own control sequences go through") {
  Sink sink;
  char buffer[64];
  Output out(buffer, &Sink::write, &sink);
  out.escape_controls();
  Row(out, 80).unseen("\x1b[1m").add("a\x1b").unseen("\x1b[0m").end();
  CHECK(out.flush().ok());
  CHECK(sink.text == "\x1b[1ma\\x1b\x1b[0m\n");
}

TEST_CASE("text in a page or a picture is UTF-8, and what XML 1.0 has a place for") {
  const std::string none(kNoCharacter);
  CHECK(in_page("<a href='b'>&\"") == "&lt;a href=&#39;b&#39;&gt;&amp;&quot;");
  CHECK(in_page("\x1b[31m\xff") == none + "[31m" + none);
  CHECK(in_page("\xef\xbf\xbf\xef\xbf\xbe") == none + none + none + none + none + none);
  CHECK(in_page("\xc0\xaf") == none + none);
  // No character is cut where a buffer ends.
  for (std::size_t before = 0; before < 300; ++before) {
    const std::string text = std::string(before, 'x') + "\xe2\x82\xac";
    CHECK(in_page(text) == text);
  }
}

}  // namespace characters_test
