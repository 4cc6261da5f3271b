#include "store/checkpoint/lines.h"

#include <doctest/doctest.h>

#include <string>

using namespace xmc;

namespace {

enum class Kind : u8 { none, some, all };

struct Place {
  u64 depth = 7;
  u32 small = 3;
  bool flag = true;
  Kind kind = Kind::some;
  bool closed = false;
  u64 later = 9;
  u64 first = 10;
  u32 second = 11;
  bool third = true;
  Word words[2] = {~Word{0}, 5};
  FileMark queue{65536, 0xABC};
  FileMark hash{4096, 0xDEF};
  u64 newest = 1;  // version that is known

  void lines(Lines& io) {
    io.version("place", newest);
    io.number("depth", depth);
    io.number("small", small);
    io.number("flag", flag);
    io.choice("kind", kind, Kind::some, Kind::all);
    io.mark("closed", closed);
    io.number_if_there("later", later);
    io.row("row", first, second, third);
    io.words("words", words);
    io.file("queue", queue);
    io.plain("hash.1", hash);
    io.shown("states", 12);
  }
};

Manifest written(Place place = {}) {
  Manifest manifest;
  Lines io = Lines::into(manifest);
  place.lines(io);
  REQUIRE(io.status().ok());
  return manifest;
}

std::string refusal(const std::string& text, u64 newest = 1) {
  Manifest manifest;
  REQUIRE(manifest.assign(text));
  Lines io = Lines::of(manifest);
  Place place;
  place.newest = newest;
  place.lines(io);
  return std::string(io.status().message());
}

std::string with(std::string text, const std::string& line, const std::string& other) {
  const std::size_t at = text.find(line);
  REQUIRE(at != std::string::npos);
  return text.replace(at, line.size(), other);
}

}  // namespace

TEST_CASE("one function of lines writes them and reads them") {
  const Manifest manifest = written();
  CHECK(manifest.text() ==
        "depth 7\nsmall 3\nflag 1\nkind 1\nlater 9\nrow a b 1\nwords ffffffffffffffff 5\n"
        "file queue 65536 0000000000000abc\nplain hash.1 4096 0000000000000def\nstates 12\n");
  Place place{0, 0, false, Kind::none, true, 0, 0, 0, false, {}, {}, {}};
  Lines io = Lines::of(manifest);
  place.lines(io);
  REQUIRE(io.status().ok());
  CHECK(written(place).text() == manifest.text());
}

TEST_CASE("a line that is missing, too large or not one of its kind is refused") {
  const std::string text(written().text());
  CHECK(refusal(text).empty());
  CHECK(refusal(with(text, "later 9\n", "")).empty());
  CHECK(refusal(with(text, "depth 7\n", "")).find("'depth'") != std::string::npos);
  CHECK(refusal(with(text, "small 3", "small 4294967296")).find("'small'") != std::string::npos);
  CHECK(refusal(with(text, "row a b 1", "row a 1ffffffff 1")).find("'row'") != std::string::npos);
  CHECK(refusal(with(text, "row a b 1", "row a b")).find("'row'") != std::string::npos);
  for (const char* kind : {"kind 0", "kind 3"}) {
    CHECK(refusal(with(text, "kind 1", kind)).find("does not exist") != std::string::npos);
  }
  CHECK(refusal(with(text, "file queue", "file other")).find("'queue'") != std::string::npos);
}

TEST_CASE("lines without a version are those of the first one, and newer ones are refused") {
  const std::string text(written().text());
  CHECK(refusal(text, 2).empty());
  CHECK(refusal("place-version 2\n" + text, 2).empty());
  const std::string newer = refusal("place-version 3\n" + text, 2);
  CHECK(newer.find("'place' in version 3") != std::string::npos);
  CHECK(newer.find("none over 2") != std::string::npos);
  CHECK_FALSE(refusal("place-version 0\n" + text, 2).empty());
  CHECK_FALSE(refusal("place-version 2\n" + text, 1).empty());
  Place place;
  place.newest = 2;
  CHECK(written(place).text().starts_with("place-version 2\ndepth 7\n"));
}

TEST_CASE("behind a failure nothing is written or read") {
  Manifest manifest;
  Lines io = Lines::into(manifest);
  io.need(Status());
  io.shown("before", 1);
  io.need(Status::fail(Code::io, "first"));
  io.need(Status::fail(Code::io, "second"));
  Place place;
  place.lines(io);
  CHECK(manifest.text() == "before 1\n");
  CHECK(io.status().message() == "first");
}
